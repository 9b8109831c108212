import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'

import { readable } from '../lib/address.ts'
import { tried } from '../lib/draft.ts'
import { shown } from '../lib/format.ts'
import { findPast, past } from '../lib/history.ts'
import { kindNames, listJobs } from '../lib/job-list.ts'
import { isPaletteOpen } from '../lib/palette.ts'
import { useAnswer } from '../lib/poll.ts'
import { href } from '../lib/router.ts'

/** A navigation target. */
interface Command {
  readonly group: string
  readonly title: string
  readonly href: string
}

export interface PaletteProps {
  readonly views: readonly (readonly [id: string, label: string])[]
}

const mostShown = 50

/** Command palette: finds views, jobs and past requests by words. */
export function Palette({ views }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [words, setWords] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const { answer: list } = useAnswer((signal) => listJobs({ kind: '', status: '' }, 1, signal), [])
  const all = useMemo(() => commandsOf(views, list?.jobs ?? []), [views, list])
  const found = all.filter((command) => fits(command, words)).slice(0, mostShown)
  const chosen = found[Math.min(at, found.length - 1)]
  useEffect(() => dialog.current?.showModal(), [])
  const close = (): void => void (isPaletteOpen.value = false)
  const go = (command: Command | undefined): void => {
    if (!command) return
    close()
    location.hash = command.href
  }
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((Math.min(at, found.length - 1) + step + found.length) % Math.max(1, found.length))
    else if (event.key === 'Enter') go(chosen)
    else return
    event.preventDefault()
  }
  return (
    <dialog ref={dialog} class="palette" aria-label="Go to" onClose={close}>
      <input
        type="text"
        role="combobox"
        aria-label="Find a view, a job or a request"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen && `${id}-${found.indexOf(chosen)}`}
        placeholder="Find a view, a job or a request"
        autocomplete="off"
        value={words}
        onInput={(event) => {
          setWords(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={press}
      />
      <div class="scroller" role="listbox" id={`${id}-list`} aria-label="Found" tabIndex={-1}>
        {found.map((command, index) => (
          <div
            key={command.href}
            id={`${id}-${index}`}
            class="row"
            role="option"
            aria-selected={command === chosen}
            ref={(element) => void (command === chosen && element?.scrollIntoView({ block: 'nearest' }))}
            onClick={() => go(command)}
          >
            <span class="muted">{command.group}</span>
            <span class="where">{command.title}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p class="muted" role="status">
          Nothing matches.
        </p>
      )}
    </dialog>
  )
}

function fits({ group, title, href: to }: Command, words: string): boolean {
  const text = `${group} ${title} ${to}`.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function commandsOf(
  views: PaletteProps['views'],
  jobs: Awaited<ReturnType<typeof listJobs>>['jobs'],
): readonly Command[] {
  return [
    ...views.map(([id, label]) => ({ group: 'View', title: label, href: href([id]) })),
    ...jobs.map(({ id, kind, about }) => ({
      group: kindNames()[kind] ?? kind,
      title: shown(readable(about ?? id)),
      href: href(['jobs', kind, id]),
    })),
    ...findPast('', past.value).map(({ draft }) => ({
      group: `${tried(draft.kind).label} again`,
      title: shown(draft.url),
      href: href(['try'], { request: JSON.stringify(draft) }),
    })),
  ]
}
