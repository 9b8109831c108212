import { signal } from '@preact/signals'

/** The last thing that was told to people who hear the page, and shown for a moment to those who see it. */
export const said = signal('')
let timer: ReturnType<typeof setTimeout> | undefined

export function say(text: string): void {
  said.value = text
  clearTimeout(timer)
  timer = setTimeout(() => (said.value = ''), 2_500)
}

export async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text).then(
    () => say('Copied'),
    () => say('The browser did not allow copying'),
  )
}
