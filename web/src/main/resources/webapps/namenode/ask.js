// Asks the NameNode for what the pages of operators show.
import {answerOf, notJson} from './api.js';

/** @param query names and values; those that are empty are left out */
export async function ask(page, query = {}) {
  const parameters = new URLSearchParams(
    Object.entries(query).filter(([, value]) => value !== '' && value !== undefined && value !== null));
  const url = `api/${page}?${parameters}`;
  const {response, text} = await answerOf(url);
  if (response.status === 403) {
    throw new Error('This page is for administrators.');
  }
  let body;
  try {
    body = JSON.parse(text);
  } catch (e) {
    throw notJson(url, response, text);
  }
  if (!response.ok) {
    throw new Error(body.problem || `api/${page} answered ${response.status}`);
  }
  return body;
}
