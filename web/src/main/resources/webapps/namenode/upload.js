// Files from the viewer's machine.
import {ask, done} from './dialog.js';
import {element} from './dom.js';
import {bytes} from './format.js';
import {join} from './paths.js';
import {send} from './transfer.js';
import {checkAccess, fileStatus, placeToWrite} from './webhdfs.js';

export function upload(folder) {
  const progress = element('progress', {'aria-label': 'Sent', max: '1', value: '0', hidden: ''});
  const doing = element('p', {role: 'status'});
  return ask(`Upload to ${folder}`, [
    {name: 'chosen', label: 'Files', type: 'file', isMany: true, isRequired: true},
    {name: 'overwrite', label: 'Replace files that are there', type: 'checkbox'},
    progress, doing,
  ], {
    name: 'Upload',
    async does({chosen, overwrite}) {
      await checkAccess(folder, '-wx');
      progress.hidden = false;
      for (const file of chosen) {
        await one(join(folder, file.name), file, overwrite, sent => {
          progress.value = file.size > 0 ? sent / file.size : 1;
          doing.textContent = `${file.name}: ${bytes(sent)} of ${bytes(file.size)}`;
        });
      }
      done(chosen.length === 1 ? `${join(folder, chosen[0].name)} is there.` : `${chosen.length} files are in ${folder}.`);
    },
  });
}

async function one(path, file, overwrite, tell) {
  if (!overwrite && await fileStatus(path).catch(() => null)) {
    throw new Error(`${path} is there already.`);
  }
  tell(0);
  await send(await placeToWrite(path, overwrite), file, tell);
  const {length} = await fileStatus(path);
  if (length !== file.size) {
    throw new Error(`${path} has ${bytes(length)} of ${bytes(file.size)}.`);
  }
}
