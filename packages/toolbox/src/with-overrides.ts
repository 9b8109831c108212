/**
 * Returns an object with the properties of `own`, and all others of `instance`, whose methods are called on `instance` itself.
 * Unlike a spread, this includes inherited methods and works with private fields, so `instance` may be of any class.
 */
export function withOverrides<T extends object>(instance: T, own: Partial<T>): T {
  const wrapper = {}
  const known = new Set<PropertyKey>(['constructor', ...Reflect.ownKeys(own)])
  for (let at: unknown = instance; isLink(at); at = Reflect.getPrototypeOf(at)) {
    for (const key of Reflect.ownKeys(at)) {
      if (known.has(key)) continue
      known.add(key)
      Object.defineProperty(wrapper, key, descriptorOf(instance, at, key))
    }
  }
  // Cast: it has each property of the instance.
  return Object.assign(wrapper, own) as T
}

/** Returns whether an object of a prototype chain has properties of its own class. */
function isLink(at: unknown): at is object {
  return typeof at === 'object' && at !== null && at !== Object.prototype
}

function descriptorOf(instance: object, at: object, key: PropertyKey): PropertyDescriptor {
  const isGetter = Reflect.getOwnPropertyDescriptor(at, key)?.get !== undefined
  // Read from the instance, which may be a proxy.
  const value: unknown = isGetter ? undefined : Reflect.get(instance, key)
  const common = { configurable: true, enumerable: true }
  if (typeof value === 'function') return { ...common, writable: true, value: value.bind(instance) as unknown }
  return { ...common, get: (): unknown => Reflect.get(instance, key) }
}
