/** The isolated world of the inspector. */
export const worldName = 'harvestman-scripts'

/** The global variable of the inspector in its world. */
export const inspectorName = 'harvestmanInspector'

/** The global variable of the recording listeners in the same world. */
export const listenersName = 'harvestmanListeners'

/** The function through which the listeners report actions. */
export const reportName = 'harvestmanReport'

/** Returns the source of a call of the inspector. */
export function inspect(method: string, ...args: readonly unknown[]): string {
  return `${inspectorName}.${method}(${args.map((value) => JSON.stringify(value)).join(', ')})`
}
