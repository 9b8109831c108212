import { diffWords } from 'diff'
import type { ComponentChildren } from 'preact'

import { shown } from '../lib/format.ts'

interface Line {
  readonly kind: 'add' | 'del' | 'same' | 'hunk'
  readonly text: string
  readonly old?: number
  readonly new?: number
}

const mostLines = 5_000
const longestForWords = 2_000

/** A unified diff, with the changed words of each line highlighted. */
export function Diff({ text }: { readonly text: string }) {
  const lines = readLines(text).slice(0, mostLines)
  return (
    <div class="diff" role="table" aria-label="Changes" tabIndex={0}>
      {lines.map((line, index) => (
        <div class={`line ${line.kind}`} role="row" key={index}>
          <span class="no" role="cell">
            {line.old}
          </span>
          <span class="no" role="cell">
            {line.new}
          </span>
          <span role="cell" aria-label={line.kind === 'add' ? 'added' : line.kind === 'del' ? 'removed' : undefined}>
            {line.kind === 'add' ? '+' : line.kind === 'del' ? '−' : ''}
          </span>
          <span role="cell">{words(line, partnerOf(lines, index))}</span>
        </div>
      ))}
    </div>
  )
}

function readLines(text: string): Line[] {
  const lines: Line[] = []
  let [old, now] = [0, 0]
  for (const line of text.split('\n')) {
    if (/^(---|\+\+\+|diff |index |===)/.test(line)) continue
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line)
    if (hunk) {
      old = Number(hunk[1])
      now = Number(hunk[2])
      lines.push({ kind: 'hunk', text: line })
    } else if (line.startsWith('+')) lines.push({ kind: 'add', text: line.slice(1), new: now++ })
    else if (line.startsWith('-')) lines.push({ kind: 'del', text: line.slice(1), old: old++ })
    else if (line.startsWith(' ')) lines.push({ kind: 'same', text: line.slice(1), old: old++, new: now++ })
  }
  return lines
}

/** Returns the line that replaced this one, or that it replaced, if the block has as many removed as added lines. */
function partnerOf(lines: readonly Line[], index: number): Line | undefined {
  const line = lines[index]
  if (line?.kind !== 'add' && line?.kind !== 'del') return undefined
  let start = index
  while (lines[start - 1]?.kind === 'add' || lines[start - 1]?.kind === 'del') start -= 1
  let end = index
  while (lines[end]?.kind === 'add' || lines[end]?.kind === 'del') end += 1
  const block = lines.slice(start, end)
  const removed = block.filter(({ kind }) => kind === 'del')
  const added = block.filter(({ kind }) => kind === 'add')
  if (removed.length !== added.length) return undefined
  return line.kind === 'add' ? removed[added.indexOf(line)] : added[removed.indexOf(line)]
}

function words(line: Line, partner: Line | undefined): ComponentChildren {
  if (!partner || line.text.length > longestForWords || partner.text.length > longestForWords) return shown(line.text)
  const [before, after] = line.kind === 'del' ? [line.text, partner.text] : [partner.text, line.text]
  const own = line.kind === 'del' ? 'removed' : 'added'
  const other = line.kind === 'del' ? 'added' : 'removed'
  return diffWords(before, after)
    .filter((part) => !part[other])
    .map((part, index) => (part[own] ? <mark key={index}>{shown(part.value)}</mark> : shown(part.value)))
}
