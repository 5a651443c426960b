/** The parts of an OpenAPI 3.1 document that we write. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1'
  readonly info: InfoObject
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly tags: readonly TagObject[]
  readonly paths: Readonly<Record<string, PathItemObject>>
  /** What the server sends to webhooks, by the type of the message. */
  readonly webhooks: Readonly<Record<string, PathItemObject>>
  readonly components: ComponentsObject
}

export interface InfoObject {
  readonly title: string
  readonly summary: string
  readonly description: string
  readonly version: string
  readonly contact: { readonly name: string }
  readonly license: { readonly name: string; readonly identifier: string }
}

export interface TagObject {
  readonly name: string
  readonly description: string
}

export interface ComponentsObject {
  readonly schemas: Readonly<Record<string, JsonSchema>>
  readonly headers: Readonly<Record<string, HeaderObject>>
  readonly examples: Readonly<Record<string, ExampleObject>>
  readonly securitySchemes: Readonly<Record<string, SecuritySchemeObject>>
}

/** Lower-case method → operation. */
export type PathItemObject = Readonly<Record<string, OperationObject>>

export interface OperationObject {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly deprecated?: true
  /** One of these is enough; an empty object requires nothing; an empty list is open to anyone. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly ParameterObject[]
  readonly requestBody?: RequestBodyObject
  readonly responses: Readonly<Record<string, ResponseObject>>
  /** Name → URL that the server will call → the request. */
  readonly callbacks?: Readonly<Record<string, Readonly<Record<string, PathItemObject>>>>
}

export interface ParameterObject {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
  readonly style?: 'form'
  readonly explode?: boolean
  readonly example?: unknown
}

export interface RequestBodyObject {
  readonly required: true
  readonly content: Readonly<Record<string, MediaTypeObject>>
}

export interface ResponseObject {
  readonly description: string
  readonly headers: Readonly<Record<string, HeaderObject | Reference>>
  readonly content?: Readonly<Record<string, MediaTypeObject>>
  readonly links?: Readonly<Record<string, LinkObject>>
}

/** An operation to call next, with the source of its parameters in `$request` or `$response`. */
export interface LinkObject {
  readonly operationId: string
  readonly description: string
  readonly parameters: Readonly<Record<string, string>>
}

export interface MediaTypeObject {
  readonly schema: JsonSchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, Reference>>
}

export interface HeaderObject {
  readonly description: string
  readonly schema: JsonSchema
}

export interface ExampleObject {
  readonly summary: string
  readonly value: unknown
}

export type SecuritySchemeObject = { readonly description: string } & (
  | { readonly type: 'http'; readonly scheme: 'bearer'; readonly bearerFormat: string }
  | { readonly type: 'apiKey'; readonly in: 'cookie'; readonly name: string }
)

export interface Reference {
  readonly $ref: string
}

/** The keywords of JSON Schema 2020-12 that the contract uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  /** The known values of an open list, as Zalando's API guidelines call it. */
  readonly 'x-extensible-enum'?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly maxProperties?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly propertyNames?: JsonSchema
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly contentMediaType?: string
  readonly contentSchema?: JsonSchema
}
