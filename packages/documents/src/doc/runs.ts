import { writeRuns, type Marks, type Run } from '../html/blocks.ts'
import { escapeText } from '../xml/entities.ts'
import type { Properties } from './properties.ts'

/** Collects the text runs of a paragraph. Fields and their links may span paragraphs. */
export interface RunWriter {
  add(text: string, properties: Properties): void
  addHtml(html: string, properties: Properties): void
  /** Begins the instruction of a field, which is not shown. */
  beginField(): void
  /** Begins the result of the field. */
  showField(): void
  endField(): void
  isEmpty(): boolean
  /** Returns the HTML of the runs, and begins a paragraph. */
  take(): string
}

interface Field {
  code: string
  isShown: boolean
  href?: string | undefined
}

const maxFields = 100
const maxCode = 2_000

/** Creates a collection of text runs. Hidden and deleted text is omitted. */
export function makeRuns(): RunWriter {
  let runs: Run[] = []
  const fields: Field[] = []
  const addHtml = (html: string, properties: Properties): void => {
    if (html === '' || properties.isHidden || properties.isDeleted || fields.some(({ isShown }) => !isShown)) return
    const href = fields.findLast((field) => field.href !== undefined)?.href
    runs.push({ html, marks: marksOf(properties), href })
  }
  return {
    addHtml,
    add: (text, properties) => {
      const field = fields[fields.length - 1]
      if (field && !field.isShown) field.code = (field.code + text).slice(0, maxCode)
      else addHtml(escapeText(text), properties)
    },
    beginField: () => {
      if (fields.length < maxFields) fields.push({ code: '', isShown: false })
    },
    showField: () => {
      const field = fields[fields.length - 1]
      if (!field) return
      field.isShown = true
      field.href = /^\s*HYPERLINK\s+"([^"]+)"/i.exec(field.code)?.[1]
    },
    endField: () => void fields.pop(),
    isEmpty: () => runs.length === 0,
    take: () => {
      const html = writeRuns(runs)
      runs = []
      return html
    },
  }
}

function marksOf({ bold = false, italic = false, strike = false, script = 0 }: Properties): Marks {
  return { bold, italic, strike, raised: script === 1, lowered: script === 2 }
}
