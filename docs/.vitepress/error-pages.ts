// Each error on a page of its own, and the page `errors.md` as their index: both from `errors.md`, in which everything is written once.

const head = '## Causes and fixes'

/** The pages of the errors by their code, from the text of `errors.md`. */
export function errorPages(text: string): ReadonlyMap<string, string> {
  const [table = '', sections = ''] = text.split(`${head}\n`)
  const rows = [...table.matchAll(/^\| \[`(\w+)`\]\(#\w+\) \| (.+) \| (yes|no) \| (\d+) \| (`\w+`) \|$/gm)]
  return new Map(
    rows.map(([, code = '', means = '', retry = '', status = '', wire = '']) => {
      const [, section] = sections.split(`### \`${code}\`\n`)
      if (section === undefined) throw new Error(`docs/errors.md has no section for ${code}.`)
      const [said = ''] = section.split(/^### /m)
      return [code, pageOf(code, means, said, [status, wire, retry])]
    }),
  )
}

function pageOf(code: string, means: string, said: string, cells: readonly string[]): string {
  // Links of the section are seen from the folder of the pages.
  const linked = said.replaceAll(/\]\((?=[\w-]+\.md)/g, '](../').replaceAll(/\]\(#(\w+)\)/g, ']($1.md)')
  const table = ['| HTTP status | Code over HTTP | Retry |', '| --- | --- | --- |', `| ${cells.join(' | ')} |`]
  return [`# \`${code}\``, means, linked.trim(), table.join('\n'), '[All errors](../errors.md)', ''].join('\n\n')
}

/** `errors.md` without the sections that have pages, its links leading to these. */
export function errorIndex(text: string): string {
  const [index = ''] = text.split(`${head}\n`)
  return index.replaceAll(/\]\(#(\w+)\)/g, '](errors/$1.md)')
}
