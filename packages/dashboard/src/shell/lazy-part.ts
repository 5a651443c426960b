import { lazyRouteComponent } from '@tanstack/react-router'
import { loadCode } from '../ui/load-code.ts'

/** A page, or a part of one inside a `Suspense`, whose code is loaded when it is first rendered. */
export const lazyPart: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(loadCode(load), name)
