import type { Preview } from '@harvestman/core/plugin'

import { exitCodes, type Shell } from './shell.ts'

export const previewOption = ['--preview', 'only say what it would cost, at least and at most, and why'] as const

export interface PreviewFlags {
  readonly preview?: boolean
  readonly json?: boolean
}

/** Says what a request would cost; nothing of it is done. */
export function showPreview(preview: Preview, flags: PreviewFlags, shell: Shell): number {
  if (flags.json) {
    shell.out(`${JSON.stringify(preview)}\n`)
    return exitCodes.done
  }
  shell.out(`${credits(preview)}\n`)
  for (const { what, ...part } of preview.reasons) shell.out(`  ${what}: ${credits(part)}\n`)
  return exitCodes.done
}

/** What is sure comes first: "1 to 10000" would read as if all of that were as likely. */
function credits({ min, max }: { readonly min: number; readonly max?: number }): string {
  const counted = (amount: number): string => `${amount} ${amount === 1 ? 'credit' : 'credits'}`
  if (max === undefined) return `${counted(min)} or more`
  if (min === max) return counted(min)
  return min === 0 ? `up to ${counted(max)}` : `${counted(min)}, at most ${counted(max)}`
}
