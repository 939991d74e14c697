// Speaks to one DataNode: the answer that brings this file allows no other place.

onmessage = ({data: {address, file}}) => {
  const request = new XMLHttpRequest();
  request.open(file ? 'PUT' : 'GET', address);
  request.responseType = 'arraybuffer';
  request.upload.onprogress = file ? event => postMessage({sent: event.loaded}) : null;
  request.onload = () => postMessage(request.status < 300 ? {bytes: request.response} : {problem: `it answered ${request.status}.`});
  request.onerror = () => postMessage({problem: 'no answer.'});
  request.send(file ? file.slice() : null); // a slice has no type, which a DataNode would not allow
};
