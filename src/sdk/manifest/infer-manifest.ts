import type { PluginEvent } from '../events.js';
import type { Json, JsonObject } from '../schema.js';
import type { PluginManifest } from './manifest.js';

/** Shows a type as one object. */
type Flat<T> = { [K in keyof T]: T[K] };

/** Properties of an object schema. */
type PropertiesOf<S> = S extends { readonly properties: infer P } ? P : never;

/** Names of properties that always have a value: required ones, and those with a default. */
type PresentNames<S> =
  | (S extends { readonly required: readonly (infer Name)[] } ? Name : never)
  | {
      [K in keyof PropertiesOf<S>]: PropertiesOf<S>[K] extends { readonly default: unknown } ? K : never;
    }[keyof PropertiesOf<S>];

type ObjectFrom<S> = Flat<
  { readonly [K in keyof PropertiesOf<S> as K extends PresentNames<S> ? K : never]: FromSchema<PropertiesOf<S>[K]> } & {
    readonly [K in keyof PropertiesOf<S> as K extends PresentNames<S> ? never : K]?: FromSchema<PropertiesOf<S>[K]>;
  }
>;

type ArrayFrom<S> = S extends { readonly items: infer Item } ? readonly FromSchema<Item>[] : readonly Json[];

type FromType<Type, S> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? ArrayFrom<S>
          : Type extends 'object'
            ? S extends { readonly properties: object }
              ? ObjectFrom<S>
              : JsonObject
            : Json;

/**
 * Type of the values that a JSON Schema accepts, as far as `type`, `properties`, `required`, `items`, `enum`, `const`,
 * `anyOf` and `oneOf` say it; `Json` for anything else. The schema must be a literal: `as const`, or inline in
 * `definePlugin`.
 * @example type Call = FromSchema<typeof callSchema>;
 */
export type FromSchema<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly anyOf: readonly (infer Option)[] } | { readonly oneOf: readonly (infer Option)[] }
      ? FromSchema<Option>
      : S extends { readonly type: readonly (infer Type)[] }
        ? FromType<Type, S>
        : S extends { readonly type: infer Type }
          ? FromType<Type, S>
          : Json;

/** Type from a schema that is a literal; one that was put together by functions says nothing to the compiler. */
type FromLiteral<S, Undeclared> = S extends { readonly type: (infer Type) | readonly (infer Type)[] }
  ? string extends Type
    ? Undeclared
    : FromSchema<S>
  : FromSchema<S>;

/**
 * Names of the declarations in one part of a manifest; `never` without that part.
 * @example type Jobs = NamesIn<Manifest, 'jobs'>;
 */
export type NamesIn<M extends PluginManifest, Part extends keyof PluginManifest> =
  M[Part] extends Readonly<Record<string, unknown>> ? keyof M[Part] & string : never;

/** A declaration in one part of a manifest. */
type Declared<M extends PluginManifest, Part extends keyof PluginManifest, Name> = Name extends keyof M[Part]
  ? M[Part][Name]
  : never;

/** Credentials that users paste. */
type PastedCredentials<M extends PluginManifest> = M extends { readonly credentials: infer S }
  ? FromSchema<S>
  : Record<never, never>;

/** Texts of the token response. */
type TokenFieldsOf<M extends PluginManifest> = M extends { readonly oauth2: infer O }
  ? { readonly [K in TokenFieldName<O extends { readonly providers: infer P } ? P[keyof P] : O>]?: string }
  : Record<never, never>;

type TokenFieldName<O> = O extends { readonly tokenFields: readonly (infer Field extends string)[] } ? Field : never;

/**
 * Credentials of a connection. With `oauth2` in the manifest, each may be missing: users connect in one of two ways.
 * @example const { api_key } = hub.credentials;
 */
export type CredentialsOf<M extends PluginManifest> = M extends { readonly oauth2: object }
  ? Flat<Partial<PastedCredentials<M>> & TokenFieldsOf<M>>
  : PastedCredentials<M>;

/**
 * Settings of a connection, with defaults filled in.
 * @example const { api_url } = hub.settings;
 */
export type SettingsOf<M extends PluginManifest> = M extends { readonly settings: infer S }
  ? { readonly [K in keyof PropertiesOf<S>]: FromSchema<PropertiesOf<S>[K]> }
  : Record<never, never>;

/**
 * Data of a job: its schema `data`, and null for the periodic runs of a job with `everyMs`.
 * @template Undeclared what data without a schema is
 * @example const data: JobDataOf<Manifest, 'backfill'> = { email };
 */
export type JobDataOf<M extends PluginManifest, Name, Undeclared = Json> =
  Declared<M, 'jobs', Name> extends infer Job
    ? Job extends { readonly data: infer S }
      ? FromLiteral<S, Undeclared> | PeriodicData<Job>
      : Job extends { readonly everyMs: number }
        ? null
        : Undeclared
    : never;

type PeriodicData<Job> = Job extends { readonly everyMs: number } ? null : never;

/**
 * What a run is started with: its schema `input`.
 * @template Undeclared what input without a schema is
 * @example const input: RunInputOf<Manifest, 'import'> = { file: file.id };
 */
export type RunInputOf<M extends PluginManifest, Name, Undeclared = Json> =
  Declared<M, 'runs', Name> extends { readonly input: infer S } ? FromLiteral<S, Undeclared> : Undeclared;

/**
 * Payload of an event that the plugin publishes.
 * @example const payload: EmittedPayloadOf<Manifest, 'acme-dialer.called'> = { call_id: 'c-1' };
 */
export type EmittedPayloadOf<M extends PluginManifest, Type> =
  FromSchema<Declared<M, 'emits', Type>> extends infer Payload extends JsonObject ? Payload : JsonObject;

/**
 * Names of the events that the plugin consumes.
 * @example type Consumed = ConsumedNames<Manifest>;
 */
export type ConsumedNames<M extends PluginManifest> = M extends {
  readonly consumes: readonly (infer Name extends string)[];
}
  ? Name
  : never;

/**
 * An event that the plugin consumes: of the hub with its payload, of another plugin with any JSON object.
 * @example ({ payload }: ConsumedEvent<'contact.imported'>) => payload.email
 */
export type ConsumedEvent<Name extends string> = Name extends string ? PluginEvent<Name> : never;

/**
 * JSON body of requests to a route: its schema `body`.
 * @template Undeclared what a body without a schema is
 * @example type Body = RouteBodyOf<Manifest, 'create'>;
 */
export type RouteBodyOf<M extends PluginManifest, Name, Undeclared = Json> =
  Declared<M, 'routes', Name> extends { readonly body: infer S } ? FromLiteral<S, Undeclared> : Undeclared;

/**
 * Query of requests to a route: texts by name, of which its schema `query` declares some.
 * @example type Query = RouteQueryOf<Manifest, 'calls'>;
 */
export type RouteQueryOf<M extends PluginManifest, Name> = Readonly<Record<string, string>> &
  (Declared<M, 'routes', Name> extends { readonly query: infer S extends { readonly properties: object } }
    ? ObjectFrom<S>
    : unknown);

/**
 * JSON body of successful responses of a route: its schema `response`.
 * @example type Found = ResponseBodyOf<Manifest, 'calls'>;
 */
export type ResponseBodyOf<M extends PluginManifest, Name> =
  Declared<M, 'routes', Name> extends { readonly response: infer S } ? FromSchema<S> : Json;

/**
 * Statuses of success of a route: its `statuses`, else 200.
 * @example const status: SuccessStatusOf<Manifest, 'create'> = 201;
 */
export type SuccessStatusOf<M extends PluginManifest, Name> =
  Declared<M, 'routes', Name> extends { readonly statuses: readonly (infer Status)[] } ? Status : 200;
