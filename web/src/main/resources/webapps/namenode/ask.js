// Asks the NameNode for what the pages of operators show.

/** @param query names and values; those that are empty are left out */
export async function ask(page, query = {}) {
  const parameters = new URLSearchParams(
    Object.entries(query).filter(([, value]) => value !== '' && value !== undefined && value !== null));
  const response = await fetch(`api/${page}?${parameters}`, {cache: 'no-store'});
  if (response.status === 403) {
    throw new Error('This page is for administrators.');
  }
  let body;
  try {
    body = await response.json();
  } catch (e) {
    throw new Error(`api/${page} answered ${response.status}`);
  }
  if (!response.ok) {
    throw new Error(body.problem || `api/${page} answered ${response.status}`);
  }
  return body;
}
