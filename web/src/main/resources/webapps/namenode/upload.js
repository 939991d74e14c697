// Files from the viewer's machine.
import {ask, done} from './dialog.js';
import {element} from './dom.js';
import {bytes} from './format.js';
import {join} from './paths.js';
import {send} from './transfer.js';
import {checkAccess, fileStatus, placeToWrite, removeFile, rename, replace} from './webhdfs.js';

/** As Hadoop's shell names what is not complete. */
const INCOMPLETE = '._COPYING_';
const MOST_NAMES = 10;

export function upload(folder) {
  const progress = element('progress', {'aria-label': 'Sent', max: '1', value: '0', hidden: ''});
  const doing = element('p', {role: 'status'});
  const arrived = new Set(); // by this dialog, so that another attempt leaves them out
  return ask(`Upload to ${folder}`, [
    {name: 'chosen', label: 'Files', type: 'file', isMany: true, isRequired: true},
    {name: 'overwrite', label: 'Replace files that are there', type: 'checkbox'},
    progress, doing,
  ], {
    name: 'Upload',
    isStoppable: true,
    async does({chosen, overwrite}, signal) {
      await checkAccess(folder, '-wx');
      progress.hidden = false;
      let now = '';
      try {
        for (const file of chosen.filter(each => !arrived.has(identity(each)))) {
          await one(join(folder, file.name), file, overwrite, signal, sent => {
            progress.value = file.size > 0 ? sent / file.size : 1;
            now = `${file.name}: ${bytes(sent)} of ${bytes(file.size)}`;
            doing.textContent = now;
          });
          arrived.add(identity(file));
        }
      } catch (e) {
        doing.textContent = '';
        window.dispatchEvent(new Event('changed'));
        throw new Error([signal.aborted ? `Stopped${now ? ` at ${now}` : ''}.` : e.message, ...outcome(chosen, arrived)].join(' '));
      }
      done(chosen.length === 1 ? `${join(folder, chosen[0].name)} is there.` : `${chosen.length} files are in ${folder}.`);
    },
  });
}

const identity = file => JSON.stringify([file.name, file.size, file.lastModified]);

/** What of several files was sent, and what was not. */
function outcome(chosen, arrived) {
  const names = all => all.slice(0, MOST_NAMES).map(file => file.name).join(', ')
    + (all.length > MOST_NAMES ? ` and ${all.length - MOST_NAMES} more` : '');
  const sent = chosen.filter(file => arrived.has(identity(file)));
  const missing = chosen.filter(file => !arrived.has(identity(file)));
  return [...(sent.length > 0 ? [`Sent: ${names(sent)}.`] : []), ...(missing.length > 0 ? [`Not sent: ${names(missing)}.`] : [])];
}

/** By another name until it is complete: what is there stays until then. */
async function one(path, file, overwrite, signal, tell) {
  if (!overwrite && await fileStatus(path).catch(() => null)) {
    throw new Error(`${path} is there already.`);
  }
  const incomplete = path + INCOMPLETE;
  const place = await placeToWrite(incomplete, true);
  tell(0);
  try {
    await send(place, file, tell, signal);
    const {length} = await fileStatus(incomplete);
    if (length !== file.size) {
      throw new Error(`${path} has ${bytes(length)} of ${bytes(file.size)}.`);
    }
    signal.throwIfAborted();
    await (overwrite ? replace : rename)(incomplete, path);
  } catch (e) {
    await removeFile(incomplete).catch(() => {}); // none may be there yet
    throw e;
  }
}
