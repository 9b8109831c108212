import type { ComponentChildren } from 'preact'
import { useErrorBoundary } from 'preact/hooks'

import { refusalOf } from '../lib/api.ts'
import { Notice } from './notice.tsx'
import { Heading } from './pieces.tsx'

/** Error boundary of a view: shows the error in its place and keeps the rest of the page working. */
export function Routed({ children }: { readonly children: ComponentChildren }) {
  const [fault] = useErrorBoundary((error: unknown) => console.error(error))
  if (fault === undefined) return <>{children}</>
  const { message } = refusalOf(fault)
  const shown = new Error(`The page has a bug: ${message}. Load it again.`, { cause: fault })
  return (
    <>
      <Heading>This view cannot be shown</Heading>
      <Notice refusal={refusalOf(shown)} />
    </>
  )
}
