// What the NameNode is asked.

/** The NameNode does not answer; or it has said, in a sentence, that it cannot now. */
export class Unanswered extends Error {
  constructor(said = '') {
    super(said || 'The NameNode does not answer.');
    this.said = said;
  }
}

/** An answer and its text. */
export async function answerOf(url, options = {}) {
  try {
    const response = await fetch(url, {cache: 'no-store', ...options});
    return {response, text: await response.text()};
  } catch (e) {
    throw new Unanswered(); // what the browser says of it helps nobody
  }
}

/** What an answer means that is no JSON; one that ends has a sentence in plain text. */
export function notJson(url, response, text) {
  return response.status === 503 && /^text\/plain/.test(response.headers.get('Content-Type') || '') && text.trim()
    ? new Unanswered(text.trim()) : new Error(`${url.split('?')[0]} answered ${response.status}`);
}

export async function json(url, options = {}) {
  const {response, text} = await answerOf(url, {headers: {Accept: 'application/json'}, ...options});
  try {
    return JSON.parse(text === '' && response.ok ? '{}' : text);
  } catch (e) {
    throw notJson(url, response, text);
  }
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
