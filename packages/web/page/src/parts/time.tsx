import { ago, when } from '../lib/format.ts'

/** A relative time, with date and time of day as tooltip. */
export function Time({ at }: { readonly at: string | number }) {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return <>{String(at)}</>
  return (
    <time dateTime={date.toISOString()} title={when(at)}>
      {ago(date.getTime())}
    </time>
  )
}
