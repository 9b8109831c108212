import { ago, when } from '../lib/format.ts'

/** A moment, told from now; the date and the time of day stand behind it. */
export function Time({ at }: { readonly at: string | number }) {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return <>{String(at)}</>
  return (
    <time dateTime={date.toISOString()} title={when(at)}>
      {ago(date.getTime())}
    </time>
  )
}
