// Files of known text, made by the writers that are installed: pandoc, LibreOffice, Ghostscript and qpdf.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file, and the sentences that its text must have. */
export interface WrittenFile {
  readonly name: string
  readonly bytes: Uint8Array
  readonly sentences: readonly string[]
}

const prose = [
  'The harbour was rebuilt in 1874.',
  'Grain and timber left the town by ship.',
  'Die Straße war für Fuhrwerke gesperrt.',
  'Το λιμάνι χτίστηκε πριν από πολλά χρόνια.',
  'Гавань была построена заново.',
  'Iron bridge',
  '12.50',
]
const cells = ['Apples', 'Straße', 'λιμάνι', '1274', '38.5']

const page = `# Harbour\n\n${prose[0]}\n\n## Goods\n\n${prose[1]}\n\n- ${prose[2]}\n- ${prose[3]}\n\n${prose[4]}\n\n| Name | Fee |\n| --- | --- |\n| ${prose[5]} | ${prose[6]} |\n`
const slides = `# Harbour\n\n${prose[0]}\n\n${prose[1]}\n\n# Goods\n\n- ${prose[2]}\n- ${prose[3]}\n- ${prose[4]}\n`
const sheet = `Name,Number\n${cells[0]},${cells[3]}\n${cells[1]},${cells[4]}\n${cells[2]},7\n`

type Step = readonly [program: string, file: string, options: readonly string[]]

/** Each step makes one file, from the source or from the file of a step before it. */
function stepsOf(folder: string): readonly Step[] {
  const office = (to: string, from: string, filter = ''): Step => [
    'soffice',
    `${from.replace(/\..*/, '')}.${to}`,
    ['--headless', `-env:UserInstallation=file://${folder}/profile`, '--convert-to', to + filter, from],
  ]
  const pandoc = (name: string, from: string): Step => ['pandoc', name, ['-s', from, '-o', name]]
  const csv = '--infilter=CSV:44,34,76,1'
  const table = (to: string): Step => {
    const [program, file, options] = office(to, 'sheet.csv')
    return [program, file, [...options.slice(0, 2), csv, ...options.slice(2)]]
  }
  return [
    ...['docx', 'epub', 'odt', 'ipynb', 'tex', 'rtf'].map((to) => pandoc(`page.${to}`, 'page.md')),
    pandoc('slides.pptx', 'slides.md'),
    pandoc('office.docx', 'page.md'),
    ...['doc', 'odt', 'rtf', 'dot', 'ott', 'epub'].map((to) => office(to, 'office.docx')),
    office('pdf', 'office.docx', ':writer_pdf_Export:{"SelectPdfVersion":{"type":"long","value":"2"}}'),
    ...['ppt', 'odp', 'pdf', 'potx', 'pps'].map((to) => office(to, 'slides.pptx')),
    ...['xlsx', 'xls', 'ods', 'xlsm', 'pdf', 'ots'].map(table),
    ['gs', 'ghost.pdf', ['-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', '-sOutputFile=ghost.pdf', 'office.pdf']],
    ['qpdf', 'linear.pdf', ['--linearize', '--object-streams=generate', 'office.pdf', 'linear.pdf']],
    ['qpdf', 'plain.pdf', ['--qdf', '--object-streams=disable', 'office.pdf', 'plain.pdf']],
  ]
}

/** Returns the files that the installed programs make. Without any of them, the list is empty. */
export function writtenFiles(): WrittenFile[] {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-files-'))
  try {
    for (const [name, text] of Object.entries({ 'page.md': page, 'slides.md': slides, 'sheet.csv': sheet }))
      writeFileSync(join(folder, name), text)
    return stepsOf(folder).flatMap(([program, file, options]) => {
      const { error, status } = spawnSync(program, options, { cwd: folder, timeout: 120_000 })
      if (error !== undefined && 'code' in error && error.code === 'ENOENT') return []
      const path = join(folder, file)
      if (!existsSync(path)) throw new Error(`${program} did not write ${file}: ${String(error ?? `status ${status}`)}`)
      return [{ name: `${program}-${file}`, bytes: readFileSync(path), sentences: textOf(file) }]
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function textOf(file: string): readonly string[] {
  if (file.startsWith('sheet')) return cells
  return file.startsWith('slides') ? prose.slice(0, 5) : prose
}

/** Returns the sentences that a text does not have, regardless of white space and escaped characters. */
export function missingIn(text: string, sentences: readonly string[]): readonly string[] {
  const plain = (value: string): string => value.replaceAll(/[\s\\]+/g, ' ').normalize('NFC')
  return sentences.filter((sentence) => !plain(text).includes(plain(sentence)))
}
