// The converter of each reader. Each is loaded when the first file of its kind arrives.
import type { Converting } from './converting.ts'
import type { Converted } from './facts.ts'
import type { Kind } from './kinds.ts'

export type Converter = (bytes: Uint8Array, work: Converting) => Converted | Promise<Converted>

export const converters: Readonly<Record<Kind, () => Promise<Converter>>> = {
  calendar: async () => (await import('./calendar/calendar.ts')).readCalendar,
  cards: async () => (await import('./calendar/cards.ts')).readCards,
  compound: async () => (await import('./compound.ts')).readCompound,
  docx: async () => (await import('./docx/docx.ts')).readDocx,
  epub: async () => (await import('./epub.ts')).readEpub,
  mail: async () => (await import('./mail/eml.ts')).readMail,
  mailbox: async () => (await import('./mail/mbox.ts')).readMailbox,
  notebook: async () => (await import('./notebook/notebook.ts')).readNotebook,
  odp: async () => (await import('./odf/odp.ts')).readOdp,
  odt: async () => (await import('./odf/odt.ts')).readOdt,
  pptx: async () => (await import('./slides/pptx.ts')).readPptx,
  rtf: async () => (await import('./rtf/rtf.ts')).readRtf,
  sheets: async () => (await import('./sheets.ts')).readSheets,
  subtitles: async () => (await import('./subtitles/subtitles.ts')).readSubtitles,
  tex: async () => (await import('./tex/tex.ts')).readTex,
  zip: async () => (await import('./archive/archive.ts')).readArchive,
}
