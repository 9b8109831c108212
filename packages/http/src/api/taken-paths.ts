import { EngineError } from '@harvestman/core'

import type { Route } from '../route/route.ts'

interface FeatureRoutes {
  readonly name: string
  readonly routes: readonly Route[]
}

/** Throws `invalid_request` if a feature has an endpoint with the method and path of an endpoint of the server. */
export function refuseTakenPaths(features: readonly FeatureRoutes[], others: readonly Route[]): void {
  const taken = new Map(others.map((route) => [shapeOf(route), route]))
  for (const { name, routes } of features) {
    for (const route of routes) {
      const own = taken.get(shapeOf(route))
      if (own)
        throw new EngineError(
          'invalid_request',
          `The feature ${name} has the path ${route.method} ${route.path}, which the server has as ${own.path}: "${own.summary}" Give the endpoint of the feature another path.`,
        )
    }
  }
}

/** Returns the method and the path without the names of its parameters. */
const shapeOf = ({ method, path }: Route): string => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`
