// Writes notes in the form that core's Markdown writer recognizes: a link to the note, and a link back in the note.
import { escapeText } from '../xml/entities.ts'

export interface Notes {
  /** Adds a note, and returns the link to it, for the place where it is referenced. */
  add(label: string, html: string): string
  /** Returns all notes, for the end of the document. */
  html(): string
}

/**
 * Creates the collection of a document's footnotes and endnotes, numbered in the order in which they are added. `add` returns
 * the HTML of the reference to the note, with the number in place of labels other than up to 4 letters or digits; `html`
 * returns an empty string without notes.
 */
export function makeNotes(): Notes {
  const notes: string[] = []
  return {
    add: (label, html) => {
      const number = notes.length + 1
      // Symbols such as stars may be used for many notes, so these are numbered instead.
      const shown = /^(?:\d{1,4}|[a-z]{1,4})$/i.test(label) ? label : String(number)
      notes.push(`<li id="note-${number}">${html} <a href="#note-ref-${number}">↑</a></li>`)
      return `<sup><a href="#note-${number}" id="note-ref-${number}">[${escapeText(shown)}]</a></sup>`
    },
    html: () => (notes.length === 0 ? '' : `<ol>${notes.join('')}</ol>`),
  }
}
