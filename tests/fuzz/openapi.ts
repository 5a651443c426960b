import fc from 'fast-check'
import type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
} from '../../packages/server/src/http/openapi/openapi-document.ts'

/** An operation of the document, with what is needed to call it. */
export interface Operation extends OperationObject {
  readonly method: string
  /** The path, with parameters in braces. */
  readonly path: string
}

export type { JsonSchema, OpenApiDocument, ParameterObject }

/** The OpenAPI document of a running server. */
export async function fetchDocument(url: string): Promise<OpenApiDocument> {
  const response = await fetch(`${url}/openapi.json`)
  return (await response.json()) as OpenApiDocument
}

/** Every operation; a failure shows its name. */
export function operationsOf({ paths }: OpenApiDocument): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      [fc.toStringMethod]: () => operation.operationId,
    })),
  )
}

export function parametersIn({ parameters = [] }: Operation, place: ParameterObject['in']) {
  return parameters.filter((parameter) => parameter.in === place)
}
