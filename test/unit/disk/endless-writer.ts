/** Counts up a number in a file, step by step, until it is killed; a message after each. */
import { createDiskFiles } from '../../../server/src/node/disk/disk-files.ts';

const [file, folder] = process.argv.slice(2) as [string, string];
const disk = createDiskFiles({ folder, log: (line) => console.error(line) });
let line = '{"id":"a","n":1.50}';
for (let next = 1; ; next++) {
  const start = line.indexOf('"n":') + 4;
  const edits = [{ span: { start, end: line.length - 1 }, text: String(next) }];
  const record = line;
  await disk.edit(
    file,
    {
      layout: { form: 'lines', records: undefined },
      editsOf: (index) => (index === 0 ? edits : []),
      recordOf: () => record,
      repairs: [],
    },
    { title: `To ${next}`, record: 0 },
  );
  line = `{"id":"a","n":${next}}`;
  process.send?.(next);
}
