import type { PricePreview } from '@harvestman/client'

import { exitCodes, type Shell } from './shell.ts'

export const previewOption = ['--preview', 'print the price and stop'] as const

export interface PreviewFlags {
  readonly preview?: boolean
  readonly json?: boolean
}

/** Prints the price of a request, which is not run. Returns the exit code. */
export function showPreview(preview: PricePreview, flags: PreviewFlags, shell: Shell): number {
  if (flags.json) {
    shell.out(`${JSON.stringify(preview, withoutNull)}\n`)
    return exitCodes.done
  }
  const { min, max } = preview
  shell.out(`${credits(preview)}\n`)
  for (const { what, ...part } of preview.reasons) shell.out(`  ${what}: ${credits(part)}\n`)
  if (isEstimate(preview)) shell.out(max === null ? '  No limit\n' : `  Range: ${min} to ${counted(max)}\n`)
  return exitCodes.done
}

/** Removes `null`: a price without a limit has no `max` in the output. */
function withoutNull(_name: string, value: unknown): unknown {
  return value ?? undefined
}

type Price = Omit<PricePreview, 'reasons'>

function isEstimate({ min, expected, max }: Price): boolean {
  return expected !== undefined && min !== max
}

function counted(amount: number): string {
  return `${amount} ${amount === 1 ? 'credit' : 'credits'}`
}

/** Formats a price: the expected value if there is one, else the range. */
function credits(price: Price): string {
  const { min, expected, max } = price
  if (expected !== undefined && isEstimate(price))
    return expected > min ? `up to ${counted(expected)}` : counted(expected)
  if (max === null) return `${counted(min)} or more`
  if (min === max) return counted(min)
  return min === 0 ? `up to ${counted(max)}` : `${min} to ${counted(max)}`
}
