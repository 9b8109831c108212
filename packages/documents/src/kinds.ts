import type { FileType } from '@harvestman/core/plugin'

/** The readers, each with its own converter in `converters.ts`. */
export type Kind =
  | 'calendar'
  | 'cards'
  | 'compound'
  | 'docx'
  | 'epub'
  | 'mail'
  | 'mailbox'
  | 'notebook'
  | 'odp'
  | 'odt'
  | 'pptx'
  | 'rtf'
  | 'sheets'
  | 'subtitles'
  | 'tex'
  | 'zip'

const office = 'application/vnd.openxmlformats-officedocument.'
const open = 'application/vnd.oasis.opendocument.'
const macros = (of: string): string => `application/vnd.ms-${of}.macroenabled.12`

/** The file types of each reader. Media types are in lower case, as the engine provides them. */
export const kinds: Readonly<Record<Kind, readonly FileType[]>> = {
  docx: [
    { format: 'docx', extensions: ['docx'], mimeTypes: [`${office}wordprocessingml.document`] },
    { format: 'dotx', extensions: ['dotx'], mimeTypes: [`${office}wordprocessingml.template`] },
    { format: 'docm', extensions: ['docm'], mimeTypes: [macros('word.document')] },
    { format: 'dotm', extensions: ['dotm'], mimeTypes: [macros('word.template')] },
  ],
  // Compound files: Office files of the years before 2007, mails of Outlook, and encrypted files of every year.
  compound: [
    { format: 'doc', extensions: ['doc', 'dot'], mimeTypes: ['application/msword'] },
    { format: 'ppt', extensions: ['ppt', 'pps', 'pot'], mimeTypes: ['application/vnd.ms-powerpoint'] },
    { format: 'msg', extensions: ['msg'], mimeTypes: ['application/vnd.ms-outlook'] },
  ],
  sheets: [
    { format: 'xlsx', extensions: ['xlsx'], mimeTypes: [`${office}spreadsheetml.sheet`] },
    { format: 'xltx', extensions: ['xltx'], mimeTypes: [`${office}spreadsheetml.template`] },
    { format: 'xlsm', extensions: ['xlsm'], mimeTypes: [macros('excel.sheet')] },
    { format: 'xltm', extensions: ['xltm'], mimeTypes: [macros('excel.template')] },
    { format: 'xlsb', extensions: ['xlsb'], mimeTypes: [macros('excel.sheet.binary')] },
    { format: 'xls', extensions: ['xls', 'xlt'], mimeTypes: ['application/vnd.ms-excel'] },
    { format: 'ods', extensions: ['ods'], mimeTypes: [`${open}spreadsheet`] },
    { format: 'ots', extensions: ['ots'], mimeTypes: [`${open}spreadsheet-template`] },
  ],
  pptx: [
    { format: 'pptx', extensions: ['pptx'], mimeTypes: [`${office}presentationml.presentation`] },
    { format: 'ppsx', extensions: ['ppsx'], mimeTypes: [`${office}presentationml.slideshow`] },
    { format: 'potx', extensions: ['potx'], mimeTypes: [`${office}presentationml.template`] },
    { format: 'pptm', extensions: ['pptm'], mimeTypes: [macros('powerpoint.presentation')] },
    { format: 'ppsm', extensions: ['ppsm'], mimeTypes: [macros('powerpoint.slideshow')] },
    { format: 'potm', extensions: ['potm'], mimeTypes: [macros('powerpoint.template')] },
  ],
  odt: [
    { format: 'odt', extensions: ['odt'], mimeTypes: [`${open}text`] },
    { format: 'ott', extensions: ['ott'], mimeTypes: [`${open}text-template`] },
    { format: 'odm', extensions: ['odm'], mimeTypes: [`${open}text-master`] },
  ],
  odp: [
    { format: 'odp', extensions: ['odp'], mimeTypes: [`${open}presentation`] },
    { format: 'otp', extensions: ['otp'], mimeTypes: [`${open}presentation-template`] },
  ],
  rtf: [{ format: 'rtf', extensions: ['rtf'], mimeTypes: ['application/rtf', 'text/rtf', 'application/x-rtf'] }],
  epub: [{ format: 'epub', extensions: ['epub'], mimeTypes: ['application/epub+zip'] }],
  mail: [
    {
      format: 'eml',
      isText: true,
      extensions: ['eml'],
      mimeTypes: ['message/rfc822'],
      starts: ['Return-Path: <', 'Delivered-To: ', 'Received: from '],
    },
  ],
  mailbox: [{ format: 'mbox', isText: true, extensions: ['mbox'], mimeTypes: ['application/mbox'] }],
  calendar: [
    {
      format: 'ics',
      isText: true,
      extensions: ['ics', 'ical'],
      mimeTypes: ['text/calendar'],
      starts: ['BEGIN:VCALENDAR'],
    },
  ],
  cards: [
    {
      format: 'vcf',
      isText: true,
      extensions: ['vcf'],
      mimeTypes: ['text/vcard', 'text/x-vcard'],
      starts: ['BEGIN:VCARD'],
    },
  ],
  tex: [
    {
      format: 'tex',
      isText: true,
      extensions: ['tex', 'ltx', 'latex'],
      mimeTypes: ['application/x-tex', 'text/x-tex', 'application/x-latex'],
      starts: ['\\documentclass'],
    },
  ],
  notebook: [{ format: 'ipynb', isText: true, extensions: ['ipynb'], mimeTypes: ['application/x-ipynb+json'] }],
  subtitles: [
    { format: 'vtt', isText: true, extensions: ['vtt'], mimeTypes: ['text/vtt'], starts: ['WEBVTT'] },
    { format: 'srt', isText: true, extensions: ['srt'], mimeTypes: ['application/x-subrip'] },
  ],
  zip: [{ format: 'zip', extensions: ['zip'], mimeTypes: ['application/zip', 'application/x-zip-compressed'] }],
}

/** Media types that are accepted, and that no file has on purpose: compound files whose content is not known. */
export const unlisted: Partial<Record<Kind, readonly string[]>> = { compound: ['application/x-cfb'] }

/** Returns the media types that a reader accepts. */
export function acceptedBy(kind: Kind): readonly string[] {
  return [...kinds[kind].flatMap(({ mimeTypes }) => mimeTypes), ...(unlisted[kind] ?? [])]
}

const byExtension = new Map(
  (Object.keys(kinds) as Kind[]).flatMap((kind) =>
    kinds[kind].flatMap(({ extensions }) => extensions.map((extension) => [extension, kind] as const)),
  ),
)

/** Returns the reader of a file by the extension in its name. */
export function kindOfName(name: string): Kind | undefined {
  return byExtension.get(extensionOf(name))
}

/** Returns the extension of a name in lower case and without the dot, or an empty string. */
export function extensionOf(name: string): string {
  return /\.([^./\\]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? ''
}
