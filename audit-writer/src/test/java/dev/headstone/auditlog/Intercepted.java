package dev.headstone.auditlog;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A client whose calls can be preceded, followed or cut off by something that goes wrong. */
final class Intercepted {
    private Intercepted() {}

    /** Does {@code first} before each call of {@code operation}. */
    static DynamoDbClient before(DynamoDbClient client, String operation, Runnable first) {
        return intercepted(client, name -> run(name, operation, first), _ -> {});
    }

    /** Does {@code then} after each call of {@code operation} that came through. */
    static DynamoDbClient after(DynamoDbClient client, String operation, Runnable then) {
        return intercepted(client, _ -> {}, name -> run(name, operation, then));
    }

    /** The failure of a connection that broke. */
    static SdkClientException broken() {
        return SdkClientException.create("the connection broke");
    }

    private static void run(String name, String operation, Runnable action) {
        if (name.equals(operation)) {
            action.run();
        }
    }

    private static DynamoDbClient intercepted(
            DynamoDbClient client, Consumer<String> before, Consumer<String> after) {
        return (DynamoDbClient)
                Proxy.newProxyInstance(
                        DynamoDbClient.class.getClassLoader(),
                        new Class<?>[] {DynamoDbClient.class},
                        (_, method, arguments) -> {
                            before.accept(method.getName());
                            try {
                                Object result = method.invoke(client, arguments);
                                after.accept(method.getName());
                                return result;
                            } catch (InvocationTargetException failed) {
                                throw failed.getCause();
                            }
                        });
    }
}
