declare const service: unique symbol

/** A service that an engine can have and parts can require. Parts refer to the port object; services are matched by name. */
export interface Port<Service = unknown> {
  readonly name: string
  /** Noun for the error when the service is missing. Completes "The format json needs …": `a language model`. */
  readonly description: string
  /** A sentence that tells users of the library how to provide the service. Servers and commands have their own. */
  readonly remedy: string
  readonly [service]?: Service
}

/** Ports by the names that a part has chosen for them. */
export type PortMap = Readonly<Record<string, Port>>

/** Services by the names that a part has chosen for their ports. */
export type ServicesOf<Ports extends PortMap> = {
  readonly [Name in keyof Ports]: Ports[Name] extends Port<infer Service> ? Service : never
}

/**
 * Declares a port with the type of its service:
 * `definePort<Glossary>({ name: 'glossary', description: 'a glossary', remedy: 'Add glossaries() to plugins.' })`.
 */
export function definePort<Service>({
  name,
  description,
  remedy,
}: Pick<Port, 'name' | 'description' | 'remedy'>): Port<Service> {
  return Object.freeze({ name, description, remedy })
}

/** A port with its service. */
export interface ProvidedPort {
  readonly port: Port
  readonly service: unknown
}

/** Provides the service of a port to an engine: `createEngine({ ports: [providePort(glossary, service)] })`. */
export function providePort<Service>(port: Port<Service>, service: Service): ProvidedPort {
  return Object.freeze({ port, service })
}
