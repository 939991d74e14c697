// What the NameNode is asked.

export async function json(url, options = {}) {
  const response = await fetch(url, {headers: {Accept: 'application/json'}, cache: 'no-store', ...options});
  const text = await response.text();
  let body;
  try {
    body = JSON.parse(text === '' && response.ok ? '{}' : text);
  } catch (e) {
    throw new Error(`${url.split('?')[0]} answered ${response.status}`);
  }
  return body;
}

/** The NameNode's beans by name; a pattern may end with a star. */
export async function beans(pattern = '*') {
  const all = await json(`jmx?qry=Hadoop:service=NameNode,name=${pattern}`);
  return Object.fromEntries(all.beans.map(bean => [bean.name.replace(/.*,name=/, ''), bean]));
}

export const status = () => json('api/status');

export const health = () => json('health');

/** Which NameNode this is, and what its pages may do. */
export const shell = () => json('api/shell');
