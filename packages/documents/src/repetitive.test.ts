// Small files that repeat a few characters must not take more than linear time.
import { EngineError } from '@harvestman/ports'
import { makeThreads, threadFile } from '@harvestman/threads'
import { afterAll, describe, expect, test } from 'vitest'

import type { FileResult, FileTask } from './convert.ts'
import { zipOf } from './fixtures/files.ts'
import type { Kind } from './kinds.ts'
import { defaultLimits as limits } from './limits.ts'

const tooSlow = 'too slow'
const budget = 10_000
const pool = makeThreads<FileTask, FileResult>({
  entry: threadFile(import.meta.url),
  size: 1,
  budget,
  megabytes: 512,
  messages: { tooSlow, tooLarge: 'too large' },
})
afterAll(() => pool.close())

const text = (frame: (repeated: string) => string) => (repeated: string) => Buffer.from(frame(repeated))
const inZip = (name: string) => (repeated: string) => zipOf({ [name]: repeated }, 0)
const notebook = (cell: (repeated: string) => object) => text((repeated) => JSON.stringify({ cells: [cell(repeated)] }))

const frames: readonly (readonly [what: string, kind: Kind, make: (repeated: string) => Uint8Array])[] = [
  ['subtitles', 'subtitles', text((repeated) => `WEBVTT\n\n00:01.000 --> 00:02.000\n${repeated}`)],
  ['calendar', 'calendar', text((repeated) => `BEGIN:VCALENDAR\nBEGIN:VEVENT\nDESCRIPTION:${repeated}\nEND:VEVENT`)],
  ['contacts', 'cards', text((repeated) => `BEGIN:VCARD\nNOTE;TYPE=${repeated}:${repeated}\nEND:VCARD`)],
  ['mail', 'mail', text((repeated) => `Subject: s\n\n${repeated}`)],
  ['head of a mail', 'mail', text((repeated) => `Subject: s\nTo: ${repeated}\n\nx`)],
  ['mailbox', 'mailbox', text((repeated) => `From a\nSubject: s\n\n${repeated}`)],
  ['TeX', 'tex', text((repeated) => `x ${repeated}`)],
  ['authors of TeX', 'tex', text((repeated) => `\\author{a${repeated}}\n`)],
  ['table of TeX', 'tex', text((repeated) => `\\begin{tabular}{l}${repeated}\\end{tabular}`)],
  [
    'output of a notebook',
    'notebook',
    notebook((source) => ({ cell_type: 'code', source, outputs: [{ text: source }] })),
  ],
  ['text in a zip file', 'zip', inZip('a.txt')],
  ['CSV in a zip file', 'zip', inZip('a.csv')],
]

const units = [
  ...[
    '<v.',
    '<v a',
    '<',
    '{\\',
    '{',
    '[',
    '\\',
    '\\[',
    '\\\\[',
    '$',
    '%',
    '%\n',
    ' ',
    '\n',
    '\n ',
    '\t\n',
    '\0',
    '.',
    ',',
  ],
  ...[';', ':', '"', '""', '=', '=\n', '>', '\u001b[', '&', '&#', '(', '@', 'a@b.c,', 'https://', 'From ', '\n>From '],
  ...[
    `https://${'.'.repeat(1_980)}x `,
    `https://${'.'.repeat(1_992)}`,
    '\\begin{a}',
    '\\url{',
    '\\verb',
    '\\label{',
    '\\and ',
  ],
  ...[
    'BEGIN:VEVENT\n',
    'END:VEVENT\n',
    '\n00:01.000 --> 00:02.000\n',
    '00:',
    '\\item ',
    '\\textbf',
    'TYPE=',
    '%20',
    '--b\n',
  ],
]

describe('many of the same characters are read within the budget:', () => {
  for (const [what, kind, make] of frames)
    test(what, { tags: ['long'], timeout: 600_000 }, async () => {
      for (const unit of units) {
        // The library for mails takes about 20 µs per line.
        const size = kind.startsWith('mail') ? 50_000 : 400_000
        const bytes = make(unit.repeat(Math.ceil(size / unit.length)))
        const run = { team: '', most: { bytes: 100_000_000, values: 1_000_000 }, transfer: [] }
        const problem = await pool.run({ bytes, kind, limits }, AbortSignal.timeout(600_000), run).then(
          () => '',
          (error: unknown) => {
            if (EngineError.is(error)) return error.message
            throw error
          },
        )
        expect(problem, unit).not.toBe(tooSlow)
      }
    })
})
