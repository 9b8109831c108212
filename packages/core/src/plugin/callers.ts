// Methods that call the endpoints of a feature, in this process or on a server.
import { hasInput, paramNames, type Endpoints, type FeatureCall } from './endpoint.ts'

/** Arguments of a call: path parameters by name, input, and options. */
export interface EndpointRequest {
  readonly params?: Readonly<Record<string, string>>
  readonly input?: unknown
  readonly call?: FeatureCall
}

type Method = (...given: readonly unknown[]) => Promise<unknown>

/**
 * Returns a method for each endpoint, by its key, which passes its arguments to `invoke`: the parameters of the path in order,
 * the input if the endpoint takes one, and the options of the call. Missing arguments are not detected; the options may be
 * omitted.
 */
export function callersOf(
  endpoints: Endpoints<never>,
  invoke: (endpoint: string, request: EndpointRequest) => Promise<unknown>,
): Record<string, Method> {
  const methods = Object.entries(endpoints).map(([key, endpoint]): [string, Method] => {
    const names = paramNames(endpoint.path)
    const takesInput = hasInput(endpoint)
    const method: Method = (...given) => {
      const params = Object.fromEntries(names.map((name, index) => [name, given[index]])) as Record<string, string>
      const rest = given.slice(names.length)
      const [input, call] = takesInput ? rest : [undefined, rest[0]]
      return invoke(key, { params, input, call: call ?? {} })
    }
    return [key, method]
  })
  return Object.fromEntries(methods)
}
