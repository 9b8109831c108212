// Reads PowerPoint presentations of the years before 2007.
import type { CompoundStorage } from '@harvestman/toolbox/compound-file'

import { summaryFacts } from '../compound/summary.ts'
import { countElements, type Converting } from '../converting.ts'
import type { Converted } from '../facts.ts'
import { heading, makeBlocks } from '../html/blocks.ts'
import { escapeText } from '../xml/entities.ts'
import { openPresentation, type Presentation, type SlideEntry } from './presentation.ts'
import { recordOf, types, type PptRecord } from './records.ts'
import { addShapes, textsOfShapes, type ShapeWork } from './shapes.ts'
import { addText, isNote, isTitle, lineOf } from './text.ts'

/**
 * Reads a presentation of the years 1997 to 2006 slide by slide: titles, text, tables and speaker notes. Hidden and missing
 * slides are omitted with a warning. Throws `unsupported_file` if it is damaged or encrypted.
 */
export function readPpt(root: CompoundStorage, work: Converting): Converted {
  const { warn } = work
  const presentation = openPresentation(root)
  const count = countElements(work)
  const take = (): boolean => count('a:p')
  const parts: string[] = []
  presentation.slides.forEach((slide, index) => {
    const record = presentation.record(slide.persistId)
    if (record?.type !== types.slide) warn(`Slide ${index + 1} is missing from the file.`)
    else if (isHidden(record)) warn(`Slide ${index + 1} is hidden, so it is left out.`)
    else parts.push(writeSlide(record, { slide, number: index + 1, presentation, take }))
  })
  return { html: parts.join(''), facts: { ...summaryFacts(root), numSlides: presentation.slides.length } }
}

const hiddenFlag = 4

function isHidden({ data }: PptRecord): boolean {
  const info = recordOf(data, types.slideShowInfo)
  return info !== undefined && info.data.length >= 12 && (info.data.readUInt16LE(10) & hiddenFlag) !== 0
}

interface SlideWork {
  readonly slide: SlideEntry
  readonly number: number
  readonly presentation: Presentation
  readonly take: () => boolean
}

function writeSlide({ data }: PptRecord, { slide, number, presentation, take }: SlideWork): string {
  const blocks = makeBlocks()
  const titles: string[] = []
  const work: ShapeWork = {
    outline: slide.texts,
    blocks,
    take,
    title: (text) => void titles.push(lineOf(text)),
  }
  addShapes(data, work)
  const title = titles.find((line) => line !== '')
  const first = `<h2>${title === undefined ? `Slide ${number}` : escapeText(title)}</h2>`
  return first + blocks.html() + notesOf(data, presentation, take)
}

function notesOf(slide: Buffer, presentation: Presentation, take: () => boolean): string {
  const id = recordOf(slide, types.slideAtom)?.data.readUInt32LE(16) ?? 0
  const entry = id === 0 ? undefined : presentation.notes.get(id)
  const record = entry && presentation.record(entry.persistId)
  if (record?.type !== types.notes) return ''
  const blocks = makeBlocks()
  for (const text of textsOfShapes(record.data, entry?.texts ?? [])) {
    if (isNote(text) && !isTitle(text)) addText({ ...text, style: undefined }, blocks, take)
  }
  const html = blocks.html()
  return html === '' ? '' : heading(3, 'Notes') + html
}
