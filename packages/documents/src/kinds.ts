/** The families of files, each with its own converter. */
export type Kind = 'docx' | 'sheets' | 'pptx' | 'odt' | 'odp' | 'rtf' | 'epub' | 'legacy'

const office = 'application/vnd.openxmlformats-officedocument.'
const open = 'application/vnd.oasis.opendocument.'

/** Media types in lower case, as the engine provides them. */
export const kinds: Readonly<Record<Kind, readonly string[]>> = {
  docx: [
    `${office}wordprocessingml.document`,
    `${office}wordprocessingml.template`,
    'application/vnd.ms-word.document.macroenabled.12',
    'application/vnd.ms-word.template.macroenabled.12',
  ],
  sheets: [
    `${office}spreadsheetml.sheet`,
    `${office}spreadsheetml.template`,
    'application/vnd.ms-excel.sheet.macroenabled.12',
    'application/vnd.ms-excel.template.macroenabled.12',
    'application/vnd.ms-excel.sheet.binary.macroenabled.12',
    'application/vnd.ms-excel',
    `${open}spreadsheet`,
    `${open}spreadsheet-template`,
  ],
  pptx: [
    `${office}presentationml.presentation`,
    `${office}presentationml.slideshow`,
    `${office}presentationml.template`,
    'application/vnd.ms-powerpoint.presentation.macroenabled.12',
    'application/vnd.ms-powerpoint.slideshow.macroenabled.12',
    'application/vnd.ms-powerpoint.template.macroenabled.12',
  ],
  odt: [`${open}text`, `${open}text-template`, `${open}text-master`],
  odp: [`${open}presentation`, `${open}presentation-template`],
  rtf: ['application/rtf', 'text/rtf', 'application/x-rtf'],
  epub: ['application/epub+zip'],
  // Files of Office versions before 2007, and encrypted files of current ones, which use the same container.
  legacy: ['application/msword', 'application/vnd.ms-powerpoint', 'application/x-cfb'],
}
