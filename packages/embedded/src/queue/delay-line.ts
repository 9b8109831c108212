import { elapsed, type Clock } from '@harvestman/ports'
import { heap } from '@harvestman/toolbox/heap'

/** Holds items until they are due, with one timer however many there are. */
export interface DelayLine<T> {
  push(item: T, delay: number): void
  clear(): void
}

interface Delayed<T> {
  readonly due: number
  readonly item: T
}

/**
 * Creates a list of items that are passed to `ripe` after their delay, in milliseconds. `clear` drops the waiting
 * ones.
 */
export function delayLine<T>(clock: Clock, ripe: (item: T) => void): DelayLine<T> {
  const isSooner = (one: Delayed<T>, other: Delayed<T>) => one.due < other.due
  let line = heap(isSooner)
  let alarm: { readonly due: number; readonly controller: AbortController } | undefined

  const setAlarm = () => {
    const next = line.peek()
    if (next === undefined || (alarm && alarm.due <= next.due)) return
    alarm?.controller.abort()
    const controller = new AbortController()
    alarm = { due: next.due, controller }
    const ring = () => {
      if (alarm?.controller === controller) release()
    }
    clock.sleep(Math.max(next.due - elapsed(clock), 0), controller.signal).then(ring, () => undefined)
  }
  const release = () => {
    alarm = undefined
    const now = elapsed(clock)
    for (let next = line.peek(); next && next.due <= now; next = line.peek()) {
      line.pop()
      ripe(next.item)
    }
    setAlarm()
  }

  return {
    push(item, delay) {
      line.push({ due: elapsed(clock) + delay, item })
      setAlarm()
    },
    clear() {
      line = heap(isSooner)
      alarm?.controller.abort()
      alarm = undefined
    },
  }
}
