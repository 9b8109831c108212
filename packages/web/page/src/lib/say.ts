import { signal } from '@preact/signals'

/** The last status message: announced to screen readers, and shown for 2.5 seconds. */
export const said = signal('')
let timer: ReturnType<typeof setTimeout> | undefined

/** Shows a short message for a moment, which screen readers announce. */
export function say(text: string): void {
  said.value = text
  clearTimeout(timer)
  timer = setTimeout(() => (said.value = ''), 2_500)
}

/** Copies text to the clipboard, and shows whether the browser allowed it. Never rejects. */
export async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text).then(
    () => say('Copied'),
    () => say('The browser did not allow copying'),
  )
}

/** Reports the result of cancelling a job. */
export function sayCancelled(isCancelled: boolean): void {
  say(isCancelled ? 'Cancelled' : 'The job had already ended')
}
