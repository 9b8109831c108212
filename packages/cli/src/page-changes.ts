/** A page as the live shell shows it: a line for each element. */
export interface ShownPage {
  readonly url: string
  readonly title: string
  readonly text: string
}

const mostLines = 200
const reference = / \[ref=e\d+\]$/

/** The whole page. */
export function pageLines({ url, title, text }: ShownPage): string {
  return `${title} — ${url}\n${cut(text === '' ? [] : text.split('\n'))}`
}

/**
 * What is other than before: lines that came, lines that went, and lines whose reference is another now. Of a page that is
 * mostly other, all of it.
 */
export function changesOf(before: ShownPage, now: ShownPage): string {
  const isElsewhere = before.url !== now.url || before.title !== now.title
  const [old, fresh] = [linesOf(before), linesOf(now)]
  const known = Map.groupBy(old, ({ key }) => key)
  const changes: string[] = []
  let kept = 0
  for (const { key, line } of fresh) {
    const same = known.get(key)?.shift()
    if (!same) changes.push(`+ ${line}`)
    else {
      kept += 1
      if (same.line !== line) changes.push(`~ ${line}`)
    }
  }
  if (isElsewhere && kept * 2 < fresh.length) return pageLines(now)
  const gone = [...known.values()].flat().map(({ line }) => `- ${line.replace(reference, '')}`)
  const head = isElsewhere ? `${now.title} — ${now.url}\n` : ''
  if (gone.length + changes.length === 0) return head === '' ? '(nothing has changed)\n' : head
  return head + cut([...gone, ...changes])
}

interface Line {
  /** Without its reference: those are counted anew each time. */
  readonly key: string
  readonly line: string
}

function linesOf({ text }: ShownPage): readonly Line[] {
  return text === '' ? [] : text.split('\n').map((line) => ({ line, key: line.replace(reference, '') }))
}

function cut(lines: readonly string[]): string {
  const rest = lines.length - mostLines
  const more = rest > 0 ? [`(and ${rest} more lines: node await page.content() prints all)`] : []
  return [...lines.slice(0, mostLines), ...more].map((line) => `${line}\n`).join('')
}
