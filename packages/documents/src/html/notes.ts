// Notes in the shape that core's writer knows: a link to the note, and in the note a link back.
import { escapeText } from '../xml/entities.ts'

export interface Notes {
  /** Keeps a note, and gives the mark that stands in the text. */
  add(label: string, html: string): string
  /** The notes, to stand at the end. */
  html(): string
}

export function makeNotes(): Notes {
  const notes: string[] = []
  return {
    add: (label, html) => {
      const number = notes.length + 1
      // Signs like stars can stand for many notes, so those are counted.
      const shown = /^(?:\d{1,4}|[a-z]{1,4})$/i.test(label) ? label : String(number)
      notes.push(`<li id="note-${number}">${html} <a href="#note-ref-${number}">↑</a></li>`)
      return `<sup><a href="#note-${number}" id="note-ref-${number}">[${escapeText(shown)}]</a></sup>`
    },
    html: () => (notes.length === 0 ? '' : `<ol>${notes.join('')}</ol>`),
  }
}
