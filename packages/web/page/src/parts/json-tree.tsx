import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import { shown } from '../lib/format.ts'
import { Code } from './pieces.tsx'

export interface JsonTreeProps {
  readonly value: unknown
  readonly name?: string
}

/** A collapsible tree of JSON data, or its text. */
export function JsonTree({ value, name = 'data' }: JsonTreeProps) {
  const [isText, setText] = useState(false)
  return (
    <div class="stack">
      <div class="bar">
        <button type="button" class="small" aria-pressed={isText} onClick={() => setText(!isText)}>
          As text
        </button>
      </div>
      {isText ? (
        <Code text={JSON.stringify(value, null, 2)} name={name} />
      ) : (
        <div class="json">
          <Node value={value} depth={0} />
        </div>
      )}
    </div>
  )
}

const openDepth = 2
/** Number of entries that are shown at first. */
const atOnce = 100

interface NodeProps {
  readonly label?: string
  readonly value: unknown
  readonly depth: number
}

function Node({ label, value, depth }: NodeProps) {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : undefined
  const head = label !== undefined && <span class="name">{shown(label)}: </span>
  if (!entries || entries.length === 0) {
    return (
      <div class="leaf">
        {head}
        <Leaf value={value} />
      </div>
    )
  }
  return <Branch head={head} isList={Array.isArray(value)} entries={entries} depth={depth} />
}

interface BranchProps {
  readonly head: ComponentChildren
  readonly isList: boolean
  readonly entries: readonly (readonly [string, unknown])[]
  readonly depth: number
}

function Branch({ head, isList, entries, depth }: BranchProps) {
  const [isOpen, setOpen] = useState(depth < openDepth)
  const [most, setMost] = useState(atOnce)
  const count = `${entries.length} ${isList ? 'item' : 'field'}${entries.length === 1 ? '' : 's'}`
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {head}
        <span class="muted">{isList ? `[ ${count} ]` : `{ ${count} }`}</span>
      </summary>
      {isOpen && (
        <div class="inside">
          {entries.slice(0, most).map(([name, one]) => (
            <Node key={name} label={name} value={one} depth={depth + 1} />
          ))}
          {entries.length > most && (
            <button type="button" class="small" onClick={() => setMost(most + 10 * atOnce)}>
              {entries.length - most} more
            </button>
          )}
        </div>
      )}
    </details>
  )
}

const longest = 2_000

function Leaf({ value }: { readonly value: unknown }) {
  const kind = value === null ? 'null' : typeof value
  const text = JSON.stringify(value) ?? 'null'
  return <span class={`value ${kind}`}>{shown(text.length > longest ? `${text.slice(0, longest)}…` : text)}</span>
}
