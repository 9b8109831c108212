// The files of the exam: those of the repository, those of a folder, and what LibreOffice makes of them where it is installed.
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { damagedFile, damages, type Damage } from '@harvestman/testing'

import { hostile } from '../../../packages/documents/src/fixtures/hostile.ts'
import { hostileFiles } from '../../../packages/pdf/test/hostile.ts'
import { lines } from '../../../packages/pdf/test/lines.ts'
import { makePdf } from '../../../packages/pdf/test/make-pdf.ts'
import { writtenFiles } from './writers.ts'

export interface CorpusFile {
  readonly name: string
  readonly bytes: Uint8Array
  /** Whether a change of its bytes contradicts a checksum. */
  readonly isChecked: boolean
  /** Sentences that its text must have. */
  readonly sentences?: readonly string[]
}

export interface FileCase extends CorpusFile {
  /** The number of the file that it was made from. */
  readonly from: number
  readonly damage: Damage | undefined
  /** What is hostile about it. */
  readonly attack?: string
}

const fixtures = join(import.meta.dirname, '../../../packages/documents/src/fixtures/real')
const checked: ReadonlySet<string> = new Set([
  ...[
    '.docx',
    '.xlsx',
    '.xlsm',
    '.xlsb',
    '.pptx',
    '.potx',
    '.odt',
    '.ods',
    '.odp',
    '.ott',
    '.ots',
    '.epub',
    '.pdf',
    '.zip',
  ],
])

function fileAt(path: string): CorpusFile {
  return {
    name: basename(path),
    bytes: new Uint8Array(readFileSync(path)),
    isChecked: checked.has(extname(path).toLowerCase()),
  }
}

/** Texts and a PDF, made here. */
function written(): CorpusFile[] {
  const text = (name: string, content: string): CorpusFile => ({ name, bytes: Buffer.from(content), isChecked: false })
  const page = (number: number) => ({ texts: lines(72, 90, [`Page ${number} says something of some length.`]) })
  return [
    { name: 'pages.pdf', bytes: makePdf({ pages: [page(1), page(2), page(3)], deflate: true }), isChecked: true },
    text(
      'page.html',
      `<!doctype html><title>Lamp</title><main><h1>Lamp</h1>${'<p>It costs 12.</p>'.repeat(40)}</main>`,
    ),
    text('data.json', JSON.stringify({ rows: Array.from({ length: 50 }, (_, n) => ({ n, name: `row ${n}` })) })),
    text('table.csv', Array.from({ length: 60 }, (_, n) => `${n},name ${n},"a ""quoted"" text"`).join('\n')),
    text(
      'feed.xml',
      `<?xml version="1.0"?><rss version="2.0"><channel>${'<item><title>a</title></item>'.repeat(30)}</channel></rss>`,
    ),
  ]
}

/** Has LibreOffice write the fixtures in other formats. Gives nothing where it is not installed. */
export function convertedFiles(): CorpusFile[] {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-files-'))
  try {
    const of = (ending: string): string[] => globSync(join(fixtures, `*.${ending}`))
    const convert = (to: string, files: readonly string[]): boolean =>
      spawnSync(
        'soffice',
        [
          '--headless',
          `-env:UserInstallation=file://${folder}/profile`,
          '--convert-to',
          to,
          '--outdir',
          folder,
          ...files,
        ],
        { timeout: 300_000 },
      ).status === 0
    if (!convert('pdf', [...of('odt'), ...of('odp'), ...of('ods')])) return []
    convert('rtf', of('odt'))
    convert('xls', of('xlsx'))
    convert('doc', [...of('docx'), ...of('odt')])
    convert('ppt', [...of('pptx'), ...of('odp')])
    return globSync(join(folder, '*.{pdf,rtf,xls,doc,ppt}')).toSorted().map(fileAt)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Files of known text by the writers that are installed. */
export function knownFiles(): CorpusFile[] {
  // A PDF without compression has no checksums.
  return writtenFiles().map((file) => ({
    ...file,
    isChecked: checked.has(extname(file.name)) && file.name !== 'qpdf-plain.pdf',
  }))
}

/** All files of the repository, and those of a folder. */
export function corpusOf(folder: string | undefined, more: readonly CorpusFile[] = []): readonly CorpusFile[] {
  const own = globSync(join(fixtures, '*.*')).filter((path) => !path.endsWith('.md'))
  const others = folder === undefined ? [] : globSync(join(folder, '*.*'))
  return [...[...own, ...others].toSorted().map(fileAt), ...written(), ...more]
}

/** Hostile files, numbered from `first`. Each only has to get a response. */
export function bombs(first: number): readonly FileCase[] {
  const office = hostile.map(({ make, name, file = 'bomb.bin' }) => ({ name: file, attack: name, bytes: make() }))
  const pdfs = hostileFiles.map(({ bytes, name }) => ({ name: 'bomb.pdf', attack: name, bytes: bytes() }))
  return [...office, ...pdfs].map((bomb, index) => ({
    ...bomb,
    from: first + index,
    damage: undefined,
    isChecked: false,
  }))
}

/** So many files: each of the corpus as it is, then damaged ones in turns, the same for the same number. */
export function casesOf(corpus: readonly CorpusFile[], count: number): readonly FileCase[] {
  return Array.from({ length: count }, (_, number) => {
    const from = number % corpus.length
    const file = corpus[from] as CorpusFile
    const round = Math.floor(number / corpus.length)
    const damage = round === 0 ? undefined : damages[(round + from) % damages.length]
    return { ...file, from, damage, bytes: damage ? damagedFile(file.bytes, damage, number) : file.bytes }
  })
}
