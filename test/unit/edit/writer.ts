/** Rewrites a file again and again, from one version to the other, until it is killed. `node writer.ts FILE FROM TO` */
import { locateEdits } from '../../../server/src/node/files/locate.ts';
import { editedBytes, replaceFile } from '../../../server/src/node/files/write.ts';

const [file = '', ...versions] = process.argv.slice(2);
let [from = '', to = ''] = versions;

for (;;) {
  const located = await locateEdits(
    file,
    { form: 'lines', records: undefined },
    ({ text }) => {
      const start = text.indexOf(from);
      return start < 0 ? [] : [{ span: { start, end: start + from.length }, text: to }];
    },
    [],
  );
  if (located.edits.length > 0) {
    process.send?.('writing');
    await replaceFile(file, editedBytes(file, located.edits), located.state);
  }
  [from, to] = [to, from];
}
