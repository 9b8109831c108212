import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

import { shown, statusSign } from '../lib/format.ts'
import { arrival, href } from '../lib/router.ts'
import { copy } from '../lib/say.ts'

/** The heading of a view. It takes the focus after navigation. */
export function Heading({ children }: { readonly children: ComponentChildren }) {
  const ref = useRef<HTMLHeadingElement>(null)
  // In a layout effect, so that it cannot take the focus from a field that is already in use.
  useLayoutEffect(() => {
    if (arrival.isNew) ref.current?.focus()
    arrival.isNew = false
  }, [])
  return (
    <h1 tabIndex={-1} ref={ref}>
      {children}
    </h1>
  )
}

/** A link from an item back to its list. */
export function Back({ to, children }: { readonly to: string; readonly children: ComponentChildren }) {
  return (
    <a class="quiet back" href={href([to])}>
      ← {children}
    </a>
  )
}

/** Text in which parts between backticks are shown as code. */
export function Words({ text }: { readonly text: string }) {
  return (
    <>
      {shown(text)
        .split('`')
        .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
    </>
  )
}

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <div class="empty">{children}</div>
}

export function Sign({ status }: { readonly status: number | undefined }) {
  const { kind, sign } = statusSign(status)
  return (
    <span class={`sign ${kind}`}>
      <span aria-hidden="true">{sign}</span> {status || '–'}
    </span>
  )
}

const mostShown = 256_000

/** Preformatted text with a copy button. Long text is truncated. */
export function Code({ text, name = 'text' }: { readonly text: string; readonly name?: string }) {
  const isLong = text.length > mostShown
  return (
    <div class="stack">
      <div class="copy">
        <pre tabIndex={0}>{shown(isLong ? text.slice(0, mostShown) : text)}</pre>
        <button type="button" class="small" onClick={() => void copy(text)} aria-label={`Copy ${name}`}>
          Copy
        </button>
      </div>
      {isLong && (
        <p class="small muted">The first 256 KB of {Math.round(text.length / 1_000)} KB. Copy takes all of it.</p>
      )}
    </div>
  )
}

export interface Tab {
  readonly id: string
  readonly label: string
  readonly view: () => ComponentChildren
}

/** Tabs with ARIA roles; the arrow keys move between them. */
export function Tabs({
  tabs,
  chosen,
  choose,
}: {
  readonly tabs: readonly Tab[]
  readonly chosen: string
  readonly choose: (id: string) => void
}) {
  const name = useId()
  const current = tabs.find(({ id }) => id === chosen) ?? tabs[0]
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0 || !current) return
    const next = tabs[(tabs.indexOf(current) + step + tabs.length) % tabs.length]
    if (!next) return
    choose(next.id)
    document.getElementById(`${name}-${next.id}`)?.focus()
  }
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
    // When a label grows, the tabs after it move.
  }, [current?.id, tabs.map(({ label }) => label).join()])
  if (!current) return null
  return (
    <>
      <div class="tabs" role="tablist" ref={list} onKeyDown={move}>
        {tabs.map(({ id, label }) => (
          <button
            type="button"
            role="tab"
            key={id}
            id={`${name}-${id}`}
            aria-selected={id === current.id}
            aria-controls={`${name}-panel`}
            tabIndex={id === current.id ? 0 : -1}
            onClick={() => choose(id)}
          >
            {label}
          </button>
        ))}
      </div>
      <div class="panel" role="tabpanel" id={`${name}-panel`} aria-labelledby={`${name}-${current.id}`} tabIndex={0}>
        {current.view()}
      </div>
    </>
  )
}
