import type { ComponentChildren } from 'preact'
import { useErrorBoundary } from 'preact/hooks'

import { refusalOf } from '../lib/api.ts'
import { Notice } from './notice.tsx'
import { Heading } from './pieces.tsx'

/** A view. A fault in it is shown in its place, and the rest of the page goes on. */
export function Routed({ children }: { readonly children: ComponentChildren }) {
  const [fault] = useErrorBoundary((error: unknown) => console.error(error))
  if (fault === undefined) return <>{children}</>
  const { message } = refusalOf(fault)
  return (
    <>
      <Heading>This view cannot be shown</Heading>
      <Notice refusal={{ ...refusalOf(fault), message: `The page has a fault: ${message}. Load it again.` }} />
    </>
  )
}
