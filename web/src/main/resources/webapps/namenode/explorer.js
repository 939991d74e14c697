// Where HDFS's own pages have the file browser: links to it go on to ours.
location.replace('index.html#/files' + (location.hash.slice(1) || '/'));
