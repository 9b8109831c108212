import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** Returns a component that is loaded when it is first rendered, to keep the initial script small. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ComponentChildren = <p class="muted">Loading…</p>,
): ComponentType<Props> {
  let known: ComponentType<Props> | undefined
  return (props) => {
    const [Part, setPart] = useState<ComponentType<Props> | undefined>(() => known)
    const [fault, setFault] = useState<unknown>()
    useEffect(() => {
      if (known) return
      void load().then((part) => {
        known = part
        setPart(() => part)
      }, setFault)
    }, [])
    if (fault !== undefined) throw fault
    return Part ? <Part {...props} /> : <>{waiting}</>
  }
}
