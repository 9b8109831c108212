import { signal } from '@preact/signals'

/** Whether the palette of commands is open. */
export const isPaletteOpen = signal(false)
