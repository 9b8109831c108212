/**
 * Makes `Math.random` the same in recording and replay, seeded by the page's URL, and moves the clock by `shift` milliseconds,
 * if given. Runs before the page's scripts and in their world, so it must not define any global.
 */
export function steady(shift?: number): void {
  let seed = 1779033703
  for (const letter of location.href) seed = Math.imul(seed ^ letter.charCodeAt(0), 3432918353)
  Math.random = () => {
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  if (shift === undefined) return
  const Own = Date
  const now = (): number => Own.now() + shift
  globalThis.Date = new Proxy(Own, {
    construct: (to, given, made) => Reflect.construct(to, given.length > 0 ? given : [now()], made) as Date,
    apply: () => new Own(now()).toString(),
    get: (of, name) => (name === 'now' ? now : (Reflect.get(of, name) as unknown)),
  })
}
