/** A page in the live shell, with one line per element. */
export interface ShownPage {
  readonly url: string
  readonly title: string
  readonly text: string
}

const maxLines = 200
const reference = / \[ref=e\d+\]$/

/** Formats a page for the console: title, URL and text. Lines after the 200th are replaced by a note with their number. */
export function pageLines({ url, title, text }: ShownPage): string {
  return `${title} — ${url}\n${cut(text === '' ? [] : text.split('\n'))}`
}

/**
 * Returns the changes between two snapshots: added lines, removed lines, and lines with a new reference, at most 200 lines.
 * After a navigation that replaced most of the page, returns the page as `pageLines` does. Without changes, returns a sentence that states this.
 */
export function changesOf(before: ShownPage, now: ShownPage): string {
  const isElsewhere = before.url !== now.url || before.title !== now.title
  const [old, fresh] = [linesOf(before), linesOf(now)]
  const known = Map.groupBy(old, ({ key }) => key)
  const changes: string[] = []
  let unchanged = 0
  for (const { key, line } of fresh) {
    const same = known.get(key)?.shift()
    if (!same) changes.push(`+ ${line}`)
    else {
      unchanged += 1
      if (same.line !== line) changes.push(`~ ${line}`)
    }
  }
  if (isElsewhere && unchanged * 2 < fresh.length) return pageLines(now)
  const removed = [...known.values()].flat().map(({ line }) => `- ${line.replace(reference, '')}`)
  const head = isElsewhere ? `${now.title} — ${now.url}\n` : ''
  if (removed.length + changes.length === 0) return head === '' ? '(nothing has changed)\n' : head
  return head + cut([...removed, ...changes])
}

interface Line {
  /** The line without its reference, because references are renumbered in each snapshot. */
  readonly key: string
  readonly line: string
}

function linesOf({ text }: ShownPage): readonly Line[] {
  return text === '' ? [] : text.split('\n').map((line) => ({ line, key: line.replace(reference, '') }))
}

function cut(lines: readonly string[]): string {
  const rest = lines.length - maxLines
  const more = rest > 0 ? [`(and ${rest} more lines: node await page.content() prints all)`] : []
  return [...lines.slice(0, maxLines), ...more].map((line) => `${line}\n`).join('')
}
