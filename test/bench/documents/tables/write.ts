// Writes the documents of the bench as PDF with Chromium, LibreOffice and pdfLaTeX.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { paragraph, type Layout, type MadeCell, type MadeDocument, type MadeTable } from './made.ts'

/** Writes one document and returns its path. A file that exists already is not written again. */
export function writePdf(document: MadeDocument, folder: string): string {
  mkdirSync(folder, { recursive: true })
  const to = join(folder, `${document.name}.pdf`)
  if (existsSync(to)) return to
  const { maker } = document
  const [extension, text] =
    maker === 'latex' ? ['tex', latex(document)] : maker === 'chromium' ? ['html', html(document)] : office(document)
  const source = join(folder, `${document.name}.${extension}`)
  writeFileSync(source, text)
  // The columns of long tables are right in the third run.
  if (maker === 'latex')
    for (let count = 0; count < 3; count++)
      run('pdflatex', ['-interaction=batchmode', `-output-directory=${folder}`, source])
  else if (maker === 'chromium')
    run('chromium', [
      '--headless',
      '--no-sandbox',
      ...(document.layout === 'running' ? [] : ['--no-pdf-header-footer']),
      `--print-to-pdf=${to}`,
      source,
    ])
  else
    run('soffice', [
      `-env:UserInstallation=file://${folder}/profile`,
      '--headless',
      '--convert-to',
      'pdf',
      '--outdir',
      folder,
      source,
    ])
  return to
}

function run(command: string, parameters: readonly string[]): void {
  execFileSync(command, parameters, { stdio: 'ignore', timeout: 120_000 })
}

const rowsOf = ({ cells, rows }: MadeTable): MadeCell[][] =>
  Array.from({ length: rows }, (_, row) => cells.filter((cell) => cell.row === row))

const css = `body { font: 11px/1.4 sans-serif } table { border-collapse: collapse; margin: 12px 0 }
td, th { padding: 3px 8px; text-align: left; vertical-align: top; max-width: 220px } .right { text-align: right }
.ruled td, .ruled th { border: 1px solid #333 } .rows td, .rows th { border-bottom: 1px solid #999 }
.booktabs { border-top: 2px solid; border-bottom: 2px solid } .booktabs thead { border-bottom: 1px solid }
.zebra tbody tr:nth-child(odd) { background: #e4e8f0 }
.beside table { float: left; margin-right: 20px; font-size: 9px } .columns { columns: 2; column-gap: 30px }
.names td, .names th { max-width: 130px }
.once thead { display: table-row-group } .tall td { max-width: 180px }
.columns table { font-size: 8px } .columns td, .columns th { padding: 3px 4px }`

function html({ tables, layout }: MadeDocument): string {
  const parts = tables.map(
    (table, index) => `${htmlTable(table)}<p>${paragraph(index + 2)}</p><p>${paragraph(index + 7)}</p>`,
  )
  return `<!doctype html><meta charset="utf-8"><style>${css}</style><body class="${layout}"><p>${paragraph(1)}</p>${parts.join('')}`
}

export function htmlTable(table: MadeTable): string {
  const rows = rowsOf(table).map((cells, row) => {
    const tag = row < table.head ? 'th' : 'td'
    const written = cells.map(
      ({ text, colspan, rowspan, column }) =>
        `<${tag} colspan="${colspan}" rowspan="${rowspan}" class="${table.isRight(column) ? 'right' : ''}">${text}</${tag}>`,
    )
    return `<tr>${written.join('')}</tr>`
  })
  const head = rows.slice(0, table.head).join('')
  return `<table class="${table.style} ${table.kind}"><thead>${head}</thead><tbody>${rows.slice(table.head).join('')}</tbody></table>`
}

function latex({ tables, layout }: MadeDocument): string {
  const sets =
    layout === 'beside'
      ? tables.map(latexBeside)
      : tables.map((table, at) => `${latexTable(table, layout)}\n\n${paragraph(at + 2)}\n\n${paragraph(at + 7)}`)
  const option = layout === 'columns' ? 'twocolumn' : '10pt'
  const running =
    layout === 'running'
      ? `\\usepackage{fancyhdr}\\pagestyle{fancy}\\lhead{${title}}\\rhead{2026}\\cfoot{Page \\thepage}`
      : ''
  return `\\documentclass[${option}]{article}\\usepackage{booktabs,longtable,array}${running}\\hyphenpenalty=10000
\\begin{document}\n${paragraph(1)}\n\n${sets.join('\n\n')}\n\\end{document}\n`
}

/** The text at the top of each page of the layout `running`. */
const title = 'Annual count of the harbour'

function latexBeside(table: MadeTable, at: number): string {
  const side = (width: number, text: string): string =>
    `\\begin{minipage}[t]{${width}\\textwidth}\\vspace{0pt}${text}\\end{minipage}`
  return `\\noindent${side(0.62, `\\footnotesize ${latexTable(table, 'beside')}`)}\\hfill${side(0.34, paragraph(at + 2))}`
}

function latexTable(table: MadeTable, layout: Layout): string {
  const { columns, style, head, kind } = table
  const bar = style === 'ruled' ? '|' : ''
  const wide = Array.from({ length: columns }, (_, column) => table.isWide(column)).filter(Boolean).length
  const spec = Array.from({ length: columns }, (_, column) =>
    table.isWide(column)
      ? `>{\\raggedright\\arraybackslash}p{${wide > 1 ? 3.5 : 5}cm}`
      : table.isRight(column)
        ? 'r'
        : 'l',
  )
  const line = style === 'ruled' ? '\\hline' : ''
  const rows = rowsOf(table).map(
    (cells, row) => `${latexRow(table, cells, row, bar)} \\\\ ${row === head - 1 ? '' : line}`,
  )
  const [top, middle, bottom] =
    style === 'booktabs'
      ? ['\\toprule', '\\midrule', '\\bottomrule']
      : style === 'ruled'
        ? ['\\hline', '\\hline', '']
        : ['', '', '']
  const heads = rows
    .slice(0, head)
    .join('\n')
    .replace(/\\hline$/gm, style === 'ruled' ? `\\cline{2-${columns}}` : '')
  const body = rows.slice(head).join('\n')
  const format = bar + spec.join(bar) + bar
  const narrow = wide > 0 || kind === 'long' ? '' : '\\small'
  const headEnd = layout === 'once' ? '\\endfirsthead\n\\endhead' : '\\endhead'
  if (kind === 'long' || kind === 'tall')
    return `\\begin{longtable}{${format}}${top}\n${heads}${middle}${headEnd}\n${body}${bottom}\n\\end{longtable}`
  return `{${narrow}\\setlength{\\tabcolsep}{4pt}\\begin{tabular}{${format}}${top}\n${heads}${middle}\n${body}${bottom}\n\\end{tabular}}`
}

/** The row of a table. Cells that are covered from above are empty. */
function latexRow({ columns }: MadeTable, cells: readonly MadeCell[], row: number, bar: string): string {
  const written: string[] = []
  for (let column = 0; column < columns;) {
    const cell = cells.find((each) => each.column === column)
    const { text = '', colspan = 1 } = cell ?? {}
    written.push(colspan > 1 ? `\\multicolumn{${colspan}}{c${bar}}{${text}}` : text)
    column += colspan
  }
  return written.join(' & ')
}

const namespaces = ['office', 'text', 'table', 'style']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ')
const fo = 'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"'

function office({ tables, maker, layout }: MadeDocument): [string, string] {
  const kind = maker === 'writer' ? 'text' : 'spreadsheet'
  const body = tables.map((table, index) =>
    maker === 'writer'
      ? `${officeTable(table, index, layout)}${officeText(paragraph(index + 2))}${officeText(paragraph(index + 7))}`
      : officeTable(table, index, layout),
  )
  const start = maker === 'writer' ? officeText(paragraph(1)) : ''
  const styles = tables.map(officeStyles).join('')
  const [page, master] = layout === 'running' ? runningPage : ['', '']
  const xml = `<?xml version="1.0" encoding="UTF-8"?><office:document ${namespaces} ${fo} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:automatic-styles>${styles}<style:style style:name="right" style:family="paragraph"><style:paragraph-properties fo:text-align="end"/></style:style>${page}</office:automatic-styles>${master}<office:body><office:${kind}>${start}${body.join('')}</office:${kind}></office:body></office:document>`
  return [maker === 'writer' ? 'fodt' : 'fods', xml]
}

const edge = '<style:header-footer-properties fo:min-height="0.3in" fo:margin="0.1in"/>'
const runningPage = [
  `<style:page-layout style:name="page"><style:page-layout-properties fo:page-width="8.27in" fo:page-height="11.69in" fo:margin="0.8in"/><style:header-style>${edge}</style:header-style><style:footer-style>${edge}</style:footer-style></style:page-layout>`,
  `<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="page"><style:header><text:p>${title}</text:p></style:header><style:footer><text:p>Page <text:page-number text:select-page="current"/></text:p></style:footer></style:master-page></office:master-styles>`,
] as const

const officeText = (text: string): string => `<text:p>${text}</text:p>`

function officeStyles({ style }: MadeTable, index: number): string {
  const thin = '0.5pt solid #000000'
  const properties = {
    ruled: [`fo:border="${thin}"`, `fo:border="${thin}"`, `fo:border="${thin}"`],
    booktabs: [
      `fo:border-top="1pt solid #000000" fo:border-bottom="${thin}"`,
      '',
      `fo:border-bottom="1pt solid #000000"`,
    ],
    zebra: ['fo:background-color="#c0c8d8"', 'fo:background-color="#e8ecf4"', ''],
    rows: [`fo:border-bottom="${thin}"`, `fo:border-bottom="${thin}"`, `fo:border-bottom="${thin}"`],
    plain: ['', '', ''],
  }[style]
  return ['head', 'odd', 'last']
    .map(
      (name, at) =>
        `<style:style style:name="${name}${index}" style:family="table-cell"><style:table-cell-properties fo:padding="0.04in" ${properties[at]}/></style:style>`,
    )
    .join('')
}

function officeTable(table: MadeTable, index: number, layout: Layout): string {
  const rows = rowsOf(table).map((cells, row) => {
    const written = Array.from({ length: table.columns }, (_, column) => {
      const cell = cells.find((each) => each.column === column)
      if (!cell) return '<table:covered-table-cell/>'
      const isLast = row + cell.rowspan === table.rows || (table.style === 'zebra' && row % 2 === 0)
      const style =
        row < table.head
          ? row + cell.rowspan === table.head || table.style !== 'booktabs'
            ? 'head'
            : 'head'
          : isLast
            ? 'last'
            : 'odd'
      const align = table.isRight(column) ? ' text:style-name="right"' : ''
      return `<table:table-cell office:value-type="string" table:style-name="${style}${index}" table:number-columns-spanned="${cell.colspan}" table:number-rows-spanned="${cell.rowspan}"><text:p${align}>${cell.text}</text:p></table:table-cell>`
    })
    return `<table:table-row>${written.join('')}</table:table-row>`
  })
  const first = rows.slice(0, table.head).join('')
  const head = layout === 'once' ? first : `<table:table-header-rows>${first}</table:table-header-rows>`
  return `<table:table table:name="t${index}"><table:table-column table:number-columns-repeated="${table.columns}"/>${head}${rows.slice(table.head).join('')}</table:table>`
}
