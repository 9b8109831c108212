import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

import { isPaletteOpen } from '../lib/palette.ts'

const keys = [
  ['Ctrl K', 'find a view, a job or a request'],
  ['/', 'go to the URL, or to the filter'],
  ['Ctrl Enter', 'run'],
  ['j  k', 'next and previous row'],
  ['[  ]', 'older and newer version, in Changes'],
  ['← →', 'between tabs'],
  ['?', 'this help'],
] as const

/** Registers the single-key shortcuts, which are ignored while typing. */
export function useKeys(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, target, ctrlKey, metaKey, altKey } = event
      if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey) {
        event.preventDefault()
        isPaletteOpen.value = !isPaletteOpen.value
        return
      }
      const isWriting = target instanceof Element && target.closest('input, textarea, select') !== null
      if (isWriting || ctrlKey || metaKey || altKey) return
      if (key === '?') dialog.current?.showModal()
      else if (key === '/') document.querySelector<HTMLElement>('#address, main input[type=text]')?.focus()
      else if (key === 'j' || key === 'k') step(key === 'j' ? 1 : -1)
      else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return dialog
}

/** Focuses the next or previous row of a list, or the first one. */
function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('a.row, button.row, .row a')].filter(
    (row) => row.parentElement?.closest('a.row') === null,
  )
  const at = rows.indexOf(document.activeElement as HTMLElement)
  rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus()
}

export function Help({ dialog }: { readonly dialog: RefObject<HTMLDialogElement | null> }) {
  return (
    <dialog ref={dialog} aria-label="Keys">
      <form method="dialog" class="stack">
        <h2>Keys</h2>
        <dl class="keys">
          {keys.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </form>
    </dialog>
  )
}
