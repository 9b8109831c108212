declare const service: unique symbol

/** Something that an engine may be given, and that parts may require. Parts name it by reference; it is bound by name. */
export interface Port<Service = unknown> {
  readonly name: string
  /** Help when the port is missing: what it is and how to give it, as the end of "The format json needs …". */
  readonly help: string
  readonly [service]?: Service
}

export type PortMap = Readonly<Record<string, Port>>

/** Services of ports, by the name that the part chose for each. */
export type ServicesOf<Ports extends PortMap> = {
  readonly [Name in keyof Ports]: Ports[Name] extends Port<infer Service> ? Service : never
}

/** Declares a port. Its type says what it gives: `definePort<Glossary>({ name: 'glossary', help: '…' })`. */
export function definePort<Service>({ name, help }: { readonly name: string; readonly help: string }): Port<Service> {
  return Object.freeze({ name, help })
}

/** A port, and what an engine has for it. */
export interface ProvidedPort {
  readonly port: Port
  readonly service: unknown
}

/** Gives an engine what a port asks for: `createEngine({ ports: [providePort(glossary, ours)] })`. */
export function providePort<Service>(port: Port<Service>, service: Service): ProvidedPort {
  return Object.freeze({ port, service })
}
