import { fileRoutes } from './files.ts'
import type { Route } from './route.ts'
import { serviceRoutes } from './service.ts'
import { v1Routes } from './v1/routes.ts'
import { v2Routes } from './v2/routes.ts'

/** Every endpoint of the API, in the order of the docs. */
export const routes: readonly Route[] = [...v2Routes, ...v1Routes, ...fileRoutes, ...serviceRoutes]
