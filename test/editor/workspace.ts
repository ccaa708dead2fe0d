/** The folder that the tests open: the record files of workspace/, and documents that are drawn here. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PDFDocument, rgb, StandardFonts } from 'pdf-lib';
import { newFolder } from './folders.ts';

/** US letter in points; 2550 × 3300 pixels at 300 dpi. */
const pageSize: [number, number] = [612, 792];
const pointsPerPixel = 72 / 300;

/** Pixels at 300 dpi, origin top-left: left, top, right, bottom. The records of workspace/ cite these. */
type Box = readonly [number, number, number, number];
const drawn: readonly { readonly page: number; readonly box: Box; readonly text: string }[] = [
  { page: 1, box: [300, 400, 2250, 700], text: 'Three wells were measured in spring.' },
  { page: 2, box: [300, 600, 2100, 1500], text: 'Well / depth: North 41 m, East 38 m' },
  { page: 3, box: [450, 1800, 1950, 2700], text: 'Figure: depth by month' },
];

async function fieldReport(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const number of [1, 2, 3]) {
    const page = document.addPage(pageSize);
    page.drawText(`Field report, page ${number}`, { x: 72, y: 740, size: 16, font });
    for (const { box, text } of drawn.filter((item) => item.page === number)) {
      const [left, top, right, bottom] = box.map((value) => value * pointsPerPixel) as unknown as Box;
      page.drawRectangle({
        x: left,
        y: pageSize[1] - bottom,
        width: right - left,
        height: bottom - top,
        borderColor: rgb(0.5, 0.5, 0.5),
        borderWidth: 1,
        borderDashArray: [4, 4],
      });
      page.drawText(text, { x: left + 8, y: pageSize[1] - top - 24, size: 14, font });
    }
  }
  return await document.save();
}

/** A fresh copy; returns its absolute path. */
export async function makeWorkspace(name: string): Promise<string> {
  const folder = newFolder(name);
  cpSync(path.join(import.meta.dirname, 'workspace'), folder, { recursive: true });
  mkdirSync(path.join(folder, 'documents'));
  writeFileSync(path.join(folder, 'documents/field-report.pdf'), await fieldReport());
  return folder;
}
